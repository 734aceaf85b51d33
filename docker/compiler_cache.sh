#!/usr/bin/env bash
# Runs the compiler through ccache. With precompiled headers ccache works only if it may trust their macros. A precompiled
# header itself is always compiled: ccache would read the one that stands there from before in place of its sources, and
# return what another build made of that.
case " $* " in
  *" -x c++-header "*) exec "$@" ;;
esac
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
exec ccache "$@"
