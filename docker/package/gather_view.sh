#!/usr/bin/env bash
# Gathers what an installation needs of the live view: gather_view.sh [BUILT] TARGET
#
#   BUILT    folder that clients/web/build.sh has written; without it, the installation has no live view
#   TARGET   folder that is installed as lib/tactus/web; an older one is removed
set -euo pipefail

target=${!#}
rm -rf "$target"
[ $# -eq 2 ] || exit 0
# The bridge reads the messages of the wire from its folder proto. What `tactus model draw` needs stays out: its browser is
# driven by a package of npm.
mkdir -p "$target/page" "$target/proto"
cp "$1/bridge.cjs" "$target"
cp "$1"/page/{index.html,page.js,page.css} "$target/page"
cp -r "$1/proto/tactus" "$target/proto"
