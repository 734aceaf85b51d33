#!/usr/bin/env bash
# Installs what is missing of docker/packages.txt, and nothing else. Needs no network if nothing is missing.
#
#   docker/install_packages.sh            every group but those that are "on request"
#   docker/install_packages.sh GROUP...   only these groups
set -euo pipefail

list=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/packages.txt

# The packages of the named groups, or of all that are not on request.
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
  echo "install_packages.sh: this is not Debian; install the counterparts of these packages of Debian 12:" >&2
  echo "  ${packages[*]}" >&2
  exit 1
fi

# dpkg-query names each package that it knows with its state, and complains of the others.
known=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$known" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "packages: nothing to install, all ${#packages[@]} are here"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages.sh: packages are missing, and this is neither root nor is there sudo. As root, run:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "packages: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; then
  echo "install_packages.sh: apt-get could not install them; Tactus is built for Debian 12" >&2
  exit 1
fi
