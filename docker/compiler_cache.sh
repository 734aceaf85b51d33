#!/usr/bin/env bash
# Runs the compiler through ccache. With precompiled headers ccache works only if it may trust their macros. The one that
# stands from before goes first: ccache would read it in place of the sources of the new one, and return what another
# build made of those.
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
