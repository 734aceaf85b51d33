#!/usr/bin/env bash
# Builds the fuzzers and runs each for some time; called by tests/run.sh --fuzz [SECONDS [TARGET ...]].
# What is found lies in build/fuzz/found/TARGET; the corpus of build/fuzz/corpus/TARGET is kept for the next run.
# TACTUS_FUZZ_AT_ONCE=N runs so many targets at the same time, one by default.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
seconds=${1:-60}
[ $# -eq 0 ] || shift

"$root/docker/install_packages.sh"
"$root/docker/install_packages.sh" checks
# The library is that of the release; TACTUS_FUZZ_RT= builds it with sanitizers, too.
library=$root/build/release/rt/libtactus_rt.a
library=${TACTUS_FUZZ_RT-$library}
if [ -n "$library" ]; then
  "$root/docker/configure.sh" "$root/build/release" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$root/build/release" --parallel "$(nproc)" --target tactus_rt
fi
CXX=clang++ "$root/docker/configure.sh" "$root/build/fuzz" -DCMAKE_BUILD_TYPE=Sanitize "-DCMAKE_CXX_FLAGS_SANITIZE=-O1" \
  -DTACTUS_SANITIZE=address,undefined -DTACTUS_FUZZ=ON "-DTACTUS_FUZZ_RT=$library" -DTACTUS_BUILD_CLIENTS=OFF \
  -DTACTUS_BUILD_BENCHMARKS=OFF
cmake --build "$root/build/fuzz" --parallel "$(nproc)" --target tactus_fuzz

# Vectors that both compilers grow are not annotated alike.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=${TACTUS_FUZZ_LEAKS:-0}
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
fuzzer=$root/build/fuzz/tactus_fuzz

# Sessions of the target `requests` ask for a real-time class, which would starve all other work. Only root has that right
# and can give it up.
unprivileged=()
[ "$(id -u)" -ne 0 ] || unprivileged=(setpriv --bounding-set -sys_nice --inh-caps -sys_nice)

# fuzz TARGET LONGEST: runs one target and prints what came out of it
fuzz() {
  local name=$1 longest=$2 status=0
  local corpus=$root/build/fuzz/corpus/$name seeds=$root/build/fuzz/seeds/$name found=$root/build/fuzz/found/$name
  mkdir -p "$corpus" "$seeds" "$found"
  local regressions=()
  [ ! -d "$root/tests/fuzz/regressions/$name" ] || regressions=("$root/tests/fuzz/regressions/$name")
  (
    TIMEFORMAT="stat::cpu_seconds:              %U"
    time ${unprivileged[@]+"${unprivileged[@]}"} "$fuzzer" "--target=$name" "--seeds=$seeds" -max_total_time="$seconds" \
      -timeout=20 -rss_limit_mb=2048 -max_len="$longest" -print_final_stats=1 "-artifact_prefix=$found/" \
      "$corpus" "$seeds" ${regressions[@]+"${regressions[@]}"}
  ) 2>"$found/log" || status=$?
  {
    echo "== $name, $seconds s"
    [ $status -eq 0 ] || tail -n 60 "$found/log"
    # cov counts edges of the control flow, ft what distinguishes inputs, corp the inputs of the corpus.
    grep -oE 'cov: .* corp: [0-9]+' "$found/log" | tail -n 1 || true
    grep -E 'stat::(number_of_executed_units|peak_rss_mb|cpu_seconds)' "$found/log" || true
  } >"$found/outcome"
  cat "$found/outcome"
  return $status
}

# A fuzzer that cannot list its targets ends the script.
targets=$("$fuzzer" --target=list)
for wanted in "$@"; do
  if ! cut -d ' ' -f 1 <<<"$targets" | grep -qxF -- "$wanted"; then
    echo "tests/fuzz/run.sh: unknown target \"$wanted\"; use one of: $(cut -d ' ' -f 1 <<<"$targets" | xargs)" >&2
    exit 2
  fi
done
if [ -z "$targets" ]; then
  echo "tests/fuzz/run.sh: the fuzzer has no targets" >&2
  exit 2
fi

status=0
running=0
while read -r name longest; do
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if [ $running -ge "${TACTUS_FUZZ_AT_ONCE:-1}" ]; then
    wait -n || status=1
    running=$((running - 1))
  fi
  fuzz "$name" "$longest" &
  running=$((running + 1))
done <<<"$targets"
while [ $running -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
exit $status
