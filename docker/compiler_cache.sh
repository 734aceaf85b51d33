#!/usr/bin/env bash
# Runs the compiler through ccache. With precompiled headers ccache works only if it may trust their macros and times.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
exec ccache "$@"
