#!/usr/bin/env bash
# Runs the compiler through ccache. With precompiled headers ccache works only if it may trust their macros. An existing
# precompiled header is removed before the new one is compiled: ccache would hash the existing file instead of the
# sources, and could return the precompiled header of another build.
if [[ " $* " == *" -x c++-header "* ]]; then
  for ((i = 1; i < $#; ++i)); do
    if [[ ${!i} == -o ]]; then
      next=$((i + 1))
      rm -f "${!next}"
    fi
  done
fi
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
exec ccache "$@"
