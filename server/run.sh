#!/usr/bin/env bash
# Installs, builds and runs the main job: a server that ticks a mechanism in real time and a client that drives it.
#
#   server/run.sh [--build-only] [ARGUMENT OF tactus serve ...]      for example: server/run.sh --duration 10s
#
# Ends with the server, by --duration, Ctrl-C or SIGTERM, and with its exit status.
set -euo pipefail

# A shell cannot trap what was ignored when it began, as Ctrl-C is in the background of a script.
if [ -n "$(trap -p INT)" ]; then exec env --default-signal=INT "$BASH" "$0" "$@"; fi

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$root/build/release

build_only=
arguments=()
for argument in "$@"; do
  case $argument in
    --build-only) build_only=yes ;;
    *) arguments+=("$argument") ;;
  esac
done

"$root/docker/install_packages.sh"
"$root/docker/configure.sh" "$build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(nproc)" --target tactus tactus_drive
[ -z "$build_only" ] || exit 0

# Starts a program in a session of its own: Ctrl-C reaches this script alone, which passes it on to the server alone.
# Should this script be killed, the kernel tells the program.
start() { exec setsid env --default-signal=INT,QUIT,TERM,HUP setpriv --pdeathsig TERM "$@" </dev/null; }

# Passes on what the server prints. The line that names its endpoint says that it serves: there the driver starts.
# When the server has ended its streams end, and so does the driver.
relay() {
  local line driver=
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [ -z "$driver" ] && [[ $line =~ ^endpoint:?\ +([^ ,]+) ]]; then
      start "$build/tactus_drive" --server "${BASH_REMATCH[1]}" &
      driver=$!
    fi
  done
  [ -z "$driver" ] || wait "$driver" || echo "run.sh: the driver ended with status $?" >&2
}

# Waits for a child to the end, however often a trapped signal interrupts, and gives its status.
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

# A signal to the whole group must not end the relay before the server has said its last word.
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
