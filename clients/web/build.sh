#!/usr/bin/env bash
# Builds the bridge and the page into a folder: build.sh FOLDER [--check]
#
# Installs the packages of the lock file into FOLDER once, copies the sources there and bundles them to FOLDER/bridge.cjs,
# FOLDER/draw.cjs and FOLDER/page. With --check, the types, the format and the lint rules of the sources are checked, too.
set -euo pipefail

source=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=${1:?give the folder to build into}
mkdir -p "$folder"
cd "$folder"
rm -f checked # of tests/clients/web/car_view.py: what it has built and checked

for tool in node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is not installed; docker/install_packages.sh view installs it" >&2
    exit 1
  fi
done

if ! cmp -s "$source/package-lock.json" installed; then
  cp "$source/package.json" "$source/package-lock.json" .
  npm ci --ignore-scripts --no-audit --no-fund
  cp package-lock.json installed
fi

rm -rf source proto
mkdir -p source page
cp -r "$source"/{bridge,draw,page,protocol.ts,tsconfig.json,biome.json} source
mkdir -p proto/tactus
cp -r "$source/../../proto/tactus/v1" proto/tactus
cp -r "$source/../../proto/foxglove" proto

if [ "${2:-}" = --check ]; then
  npx --no-install tsc --project source
  (cd source && npx --no-install biome check --error-on-warnings .)
fi
npx --no-install esbuild source/bridge/main.ts --bundle --platform=node --target=node18 --outfile=bridge.cjs \
  --loader:.proto=text --log-level=warning
npx --no-install esbuild source/draw/main.ts --bundle --platform=node --target=node18 --outfile=draw.cjs \
  --external:playwright-core --log-level=warning
for page in page=main still=still; do
  npx --no-install esbuild "${page%=*}=source/page/${page#*=}.ts" --bundle --minify --target=es2022 --outdir=page \
    --log-level=warning
done
cp source/page/{index,still}.html page
