#!/usr/bin/env bash
# Installs, builds and runs a server that simulates the default vehicle in real time, and a client that drives it.
#
#   server/run.sh [--build-only] [--view] [ARGUMENT OF tactus serve ...]      for example: server/run.sh --duration 10s
#
#   --view   also installs and builds the live view and starts it: a page in the browser drives the vehicle, and the
#            client does not. The page is at http://127.0.0.1:8080; TACTUS_VIEW_PORT chooses another port. The server gets
#            --miss-limit 500 unless the arguments have --miss-limit or --config.
#
# A model without inputs gets no driver. With --json, what the client prints goes to standard error.
#
# Ends when the server ends (--duration, Ctrl-C or SIGTERM), with the exit status of the server.
set -euo pipefail

# A shell cannot trap a signal that was ignored when it started, such as Ctrl-C for a background job of a script.
if [ -n "$(trap -p INT)" ]; then exec env --default-signal=INT "$BASH" "$0" "$@"; fi

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$root/build/release

build_only=
view=
miss_limit=
arguments=()
for argument in "$@"; do
  case $argument in
    --build-only) build_only=yes ;;
    --view) view=yes ;;
    --miss-limit* | --config*) miss_limit=given arguments+=("$argument") ;;
    *) arguments+=("$argument") ;;
  esac
done

"$root/docker/install_packages.sh"
if [ -n "$view" ]; then
  command -v node >/dev/null && command -v npm >/dev/null || "$root/docker/install_packages.sh" view
fi
"$root/docker/configure.sh" "$build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(nproc)" --target tactus tactus_drive
[ -z "$view" ] || "$root/clients/web/build.sh" "$build/web"
[ -z "$build_only" ] || exit 0
# A browser sends inputs less evenly than a program: its lease is lost after half a second of silence.
if [ -n "$view" ] && [ -z "$miss_limit" ]; then
  arguments=(--miss-limit 500 ${arguments[@]+"${arguments[@]}"})
fi

# Starts a program in its own session: Ctrl-C reaches only this script, which passes it on to the server. If this script
# is killed, the kernel sends SIGTERM to the program.
start() { exec setsid env --default-signal=INT,QUIT,TERM,HUP setpriv --pdeathsig TERM "$@" </dev/null; }

# The client of the server: the driver or, with --view, the bridge to the browser.
client_of() {
  if [ -n "$view" ]; then
    start "$build/tactus" view --server "$1" --port "${TACTUS_VIEW_PORT:-8080}"
  else
    start "$build/tactus_drive" --server "$1"
  fi
}

# Prints the output of the server, and starts its client when it is ready: after the lines "endpoint" and "session" or,
# with --json, after the event "started". The driver ends with its stream, when the server ends; the
# bridge is ended then.
relay() {
  local line endpoint= inputs= json= driver=
  local started='^\{"event":"started",.*"endpoint":"([^"]*)".*"inputs":([0-9]+)'
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [ -z "$inputs" ] || continue
    if [[ $line =~ ^endpoint\ +(.+)$ ]]; then
      endpoint=${BASH_REMATCH[1]}
    elif [[ $line =~ ^session\ .*,\ ([0-9]+)\ inputs?$ ]]; then
      inputs=${BASH_REMATCH[1]}
    elif [[ $line =~ $started ]]; then
      endpoint=${BASH_REMATCH[1]} inputs=${BASH_REMATCH[2]} json=yes
    fi
    [ -n "$endpoint" ] && [ -n "$inputs" ] || continue
    if [ -z "$view" ] && [ "$inputs" = 0 ]; then
      echo "run.sh: the model has no inputs to drive, so that no driver was started; choose another model, or --view" >&2
    elif [ -n "$json" ]; then
      client_of "$endpoint" >&2 &
      driver=$!
    else
      client_of "$endpoint" &
      driver=$!
    fi
  done
  if [ -n "$view" ] && [ -n "$driver" ]; then
    kill -TERM "$driver" 2>/dev/null || true
  fi
  [ -z "$driver" ] || wait "$driver" || echo "run.sh: the driver ended with status $?" >&2
}

# Waits for a child although trapped signals interrupt the wait, and returns the status of the child.
wait_for() {
  local status
  while :; do
    interrupted=
    status=0
    wait "$1" || status=$?
    [ -n "$interrupted" ] || return "$status"
  done
}

pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/server"

# A signal to the whole process group must not end the relay before the server has printed its last line.
(trap '' INT TERM HUP && relay) <"$pipes/server" &
relay=$!
start "$build/tactus" serve ${arguments[@]+"${arguments[@]}"} >"$pipes/server" &
server=$!
trap 'interrupted=yes; kill -INT "$server" 2>/dev/null || true' INT
trap 'interrupted=yes; kill -TERM "$server" 2>/dev/null || true' TERM HUP

status=0
wait_for "$server" || status=$?
wait_for "$relay" || true
exit "$status"
