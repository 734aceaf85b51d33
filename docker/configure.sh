#!/usr/bin/env bash
# Configures a build tree. server/run.sh, tests/run.sh and the image use it, so that all builds have the same settings.
#
#   docker/configure.sh BUILD_TREE [ARGUMENT OF cmake ...]
#
# Warnings are errors if CI=true. ccache is used if it is installed.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$1
shift

arguments=(-S "$root" -B "$build" -G Ninja)
if [ "${CI:-}" = true ]; then arguments+=(-DTACTUS_WERROR=ON); else arguments+=(-DTACTUS_WERROR=OFF); fi
if command -v ccache >/dev/null; then
  arguments+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$root/docker/compiler_cache.sh")
fi
set -x
cmake "${arguments[@]}" "$@"
