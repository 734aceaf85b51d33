#!/usr/bin/env bash
# Installs the missing packages of docker/packages.txt. Needs no network if none is missing.
#
#   docker/install_packages.sh            every group that is not "on request"
#   docker/install_packages.sh GROUP...   only the named groups
set -euo pipefail

list=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/packages.txt

# Packages of the named groups; without names, of all groups that are not on request.
packages_of() {
  awk -v wanted=" $* " '
    /^# \[[a-z-]+\]/ {
      group = $2; gsub(/[][]/, "", group)
      known[group] = 1
      take = (wanted ~ /^ *$/) ? !/on request/ : index(wanted, " " group " ") > 0
      next
    }
    { sub(/#.*/, "") }
    NF && take { print $1 }
    END {
      count = split(wanted, names, " ")
      for (i = 1; i <= count; ++i) if (!(names[i] in known)) {
        print "install_packages.sh: no group \"" names[i] "\" in packages.txt" > "/dev/stderr"
        exit 2
      }
    }' "$list"
}

names=$(packages_of "$@")
mapfile -t packages <<<"$names"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install_packages.sh: this is not Debian; install the equivalents of these Debian 12 packages by hand:" >&2
  echo "  ${packages[*]}" >&2
  exit 1
fi

# dpkg-query prints each known package with its state and an error for each unknown one.
known=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$known" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "packages: all ${#packages[@]} are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages.sh: packages are missing, and there is no sudo. Run as root:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "packages: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; then
  echo "install_packages.sh: apt-get failed; check the network, and that this is Debian 12" >&2
  exit 1
fi
