#!/usr/bin/env bash
# Installs, builds and runs every test.
#
#   tests/run.sh [--quick] [--timed] [--sanitize address|thread|undefined|all] [ARGUMENT OF ctest ...]
#   tests/run.sh --fuzz [SECONDS [TARGET ...]]
#
#   --quick      leaves out the test cases tagged [slow]
#   --timed      runs the requirements in ms or s instead, one after the other, and prints them as a table
#   --sanitize   builds into build/<sanitizer> and runs the same tests under the sanitizer; address also detects leaks
#                and undefined behavior. all: address, then thread
#   --fuzz       builds the fuzzers into build/fuzz and runs each for so long, 60 s by default; tests/fuzz/README.md
#
# Prints the summary of ctest and returns its exit status: not zero if a test fails or if no test was found.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

sanitizer=
timed=
selection=()
while [ $# -gt 0 ]; do
  case $1 in
    --fuzz)
      shift
      exec "$root/tests/fuzz/run.sh" "$@"
      ;;
    --quick) selection+=(--label-exclude '^slow$') ;;
    --timed) timed=1 ;;
    --sanitize)
      sanitizer=${2:-none}
      shift
      ;;
    --sanitize=*)
      sanitizer=${1#*=}
      sanitizer=${sanitizer:-none}
      ;;
    *) selection+=("$1") ;;
  esac
  [ $# -eq 0 ] || shift
done
if [ -n "$timed" ] && [ -n "$sanitizer" ]; then
  echo "tests/run.sh: times under a sanitizer say nothing; use --timed without --sanitize" >&2
  exit 2
fi
if [ "$sanitizer" = all ]; then
  # Both, whatever the first one finds.
  status=0
  for each in address thread; do
    "$root/tests/run.sh" --sanitize "$each" ${selection[@]+"${selection[@]}"} || status=$?
  done
  exit $status
fi
case $sanitizer in
  "") build=$root/build/release settings=(-DCMAKE_BUILD_TYPE=Release) ;;
  address | thread | undefined)
    # Optimized for speed, with line numbers, and with the assertions that a release build leaves out.
    build=$root/build/$sanitizer
    kinds=$sanitizer
    [ "$kinds" != address ] || kinds=address,undefined
    settings=(-DCMAKE_BUILD_TYPE=Sanitize "-DCMAKE_CXX_FLAGS_SANITIZE=-O1" "-DTACTUS_SANITIZE=$kinds"
      -DTACTUS_BUILD_BENCHMARKS=OFF)
    ;;
  *)
    echo "tests/run.sh: unknown sanitizer \"$sanitizer\"; use address, thread, undefined or all" >&2
    exit 2
    ;;
esac

"$root/docker/install_packages.sh"
command -v npm >/dev/null || "$root/docker/install_packages.sh" npm
"$root/docker/configure.sh" "$build" "${settings[@]}"
cmake --build "$build" --parallel "$(nproc)"

# The first finding of a sanitizer fails the test. With a short history, a suppression cannot see the stack it names.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1:verify_asan_link_order=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export LSAN_OPTIONS=${LSAN_OPTIONS:-"suppressions='$root/tests/leak_sanitizer.supp':print_suppressions=0"}
suppressions="suppressions='$root/tests/thread_sanitizer.supp'"
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:history_size=7:second_deadlock_stack=1:$suppressions}

cd "$build"
if [ -n "$timed" ]; then
  status=0
  rm -rf timed
  ctest -C timed --label-regex '^timed$' --no-label-summary --no-tests=error ${selection[@]+"${selection[@]}"} || status=$?
  /usr/bin/python3 -B "$root/tests/timed/timed_check.py" "$build" --table
  exit $status
fi
ctest --parallel 2 --no-label-summary --output-on-failure --no-tests=error ${selection[@]+"${selection[@]}"}
