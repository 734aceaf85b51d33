#!/usr/bin/env bash
# Builds the fuzzers and runs each for some time; called by tests/run.sh --fuzz [SECONDS [TARGET ...]].
# What is found lies in build/fuzz/found/TARGET; the corpus of build/fuzz/corpus/TARGET is kept for the next run.
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
status=0
while read -r name longest; do
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  corpus=$root/build/fuzz/corpus/$name seeds=$root/build/fuzz/seeds/$name found=$root/build/fuzz/found/$name
  mkdir -p "$corpus" "$seeds" "$found"
  echo "== $name, $seconds s"
  regressions=()
  [ ! -d "$root/tests/fuzz/regressions/$name" ] || regressions=("$root/tests/fuzz/regressions/$name")
  "$fuzzer" "--target=$name" "--seeds=$seeds" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len="$longest" \
    -print_final_stats=1 "-artifact_prefix=$found/" "$corpus" "$seeds" ${regressions[@]+"${regressions[@]}"} \
    2>"$found/log" || { status=1; tail -n 60 "$found/log"; }
  # cov counts edges of the control flow, ft what distinguishes inputs, corp the inputs of the corpus.
  grep -oE 'cov: .* corp: [0-9]+' "$found/log" | tail -n 1 || true
  grep -E 'stat::(number_of_executed_units|peak_rss_mb)' "$found/log" || true
done < <("$fuzzer" --target=list)
exit $status
