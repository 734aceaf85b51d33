#!/usr/bin/env bash
# Builds the Debian package and the Python wheel: docker/package/build.sh [--view] [FOLDER]
#
#   --view   with the live view of `tactus view`; needs Node and npm, see docker/install_packages.sh view. Without it the
#            package has no live view, even if one was built before
#   FOLDER   where the package and the wheel go; default: build/package
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$root/build/release
view=
folder=$root/build/package
for argument in "$@"; do
  case $argument in
    --view) view=yes ;;
    -*)
      echo "docker/package/build.sh: unknown option $argument; use --view" >&2
      exit 2
      ;;
    *) folder=$argument ;;
  esac
done

"$root/docker/install_packages.sh"
"$root/docker/install_packages.sh" package
"$root/docker/configure.sh" "$build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(nproc)" \
  --target tactus tactus_drive tactus_client tactus_proto tactus_native
[ -z "$view" ] || "$root/clients/web/build.sh" "$build/web"
"$root/docker/package/gather_view.sh" ${view:+"$build/web"} "$build/docker/package/web"
"$root/docker/package/write_manual.py" "$build/tactus" "$build/docker/package"

mkdir -p "$folder"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder"
rm -rf "$folder/_CPack_Packages"
# With the engine of this build tree, and with no other: setup.py refuses a tree that has none.
TACTUS_BUILD_DIR=$build /usr/bin/python3 -m pip wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir "$folder" \
  "$root/clients/python"
ls -l "$folder"
