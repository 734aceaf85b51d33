#!/usr/bin/env bash
# Installs, builds and runs a server that simulates the default vehicle in real time, and a client that drives it.
#
#   server/run.sh [--build-only] [--view] [ARGUMENT OF tactus serve ...]      for example: server/run.sh --duration 10s
#
#   --view   also installs and builds the live view and starts it: a page in the browser drives the vehicle, and the
#            client does not. The page is at http://127.0.0.1:8080; TACTUS_VIEW_PORT chooses another port.
#
# Ends when the server ends (--duration, Ctrl-C or SIGTERM), with the exit status of the server.
set -euo pipefail

# A shell cannot trap a signal that was ignored when it started, such as Ctrl-C for a background job of a script.
if [ -n "$(trap -p INT)" ]; then exec env --default-signal=INT "$BASH" "$0" "$@"; fi

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$root/build/release

build_only=
view=
arguments=()
for argument in "$@"; do
  case $argument in
    --build-only) build_only=yes ;;
    --view) view=yes ;;
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
[ -z "$view" ] || arguments=(--miss-limit 500 ${arguments[@]+"${arguments[@]}"})

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

# Prints the output of the server. The line with the endpoint shows that the server is ready; its client then starts. The
# driver ends with its stream, when the server ends; the bridge is ended then.
relay() {
  local line driver=
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [ -z "$driver" ] && [[ $line =~ ^endpoint:?\ +([^ ,]+) ]]; then
      client_of "${BASH_REMATCH[1]}" &
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
