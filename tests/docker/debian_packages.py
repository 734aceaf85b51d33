"""Packages of docker/packages.txt, and what they bring, as the dpkg of this machine knows it."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def output(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


def groups():
    """The groups of docker/packages.txt by name: the words after the name, and the set of packages."""
    found, names = {}, None
    for line in (ROOT / "docker/packages.txt").read_text().splitlines():
        if heading := re.match(r"# \[([a-z-]+)\](.*)", line):
            found[heading[1]] = (heading[2], names := set())
        elif line and not line.startswith("#"):
            names.add(line)
    return found


def group(name):
    """The packages of a group of docker/packages.txt."""
    return groups()[name][1]


def groups_of_a_build():
    """The packages that every script installs: those of all groups that are not on request."""
    return set().union(*(names for words, names in groups().values() if "on request" not in words))


def with_dependencies(packages):
    """The packages themselves and all that they depend on, as installed here."""
    lines = output("dpkg-query", "-W", "-f=${Package}\t${Pre-Depends}, ${Depends}\n").splitlines()
    needs = dict(line.split("\t") for line in lines)
    found, left = set(), set(packages)
    while left:
        package = left.pop()
        found.add(package)
        left |= set(re.findall(r"(?:^|, |\| )([a-z0-9.+-]+)", needs.get(package, ""))) - found
    return found


def essential():
    """The packages of every Debian, with all that they depend on."""
    lines = output("dpkg-query", "-W", "-f=${Package} ${Essential}\n").splitlines()
    return with_dependencies(line.split()[0] for line in lines if line.endswith(" yes"))


def owner(path):
    """The package that has installed a file; "" for none."""
    # Debian 12 keeps files of merged folders under the name without /usr.
    path = pathlib.Path(path).resolve()
    asked = [path, pathlib.Path("/") / path.relative_to("/usr")] if path.is_relative_to("/usr") else [path]
    answer = subprocess.run(["dpkg", "-S", *map(str, asked)], capture_output=True, text=True, check=False).stdout
    return answer.split(":")[0]
