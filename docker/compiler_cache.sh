#!/usr/bin/env bash
# Runs the compiler through ccache. With precompiled headers ccache works only if it may trust their macros.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
exec ccache "$@"
