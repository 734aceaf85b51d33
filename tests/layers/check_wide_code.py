"""Code for wide vectors must stay where the program has asked for them.

A function that the compiler emits in several files is linked once, from any of them. If the file compiled for AVX-512
emitted one that others use, the program would die on a machine without it.
"""

import subprocess
import sys

MEMBER = "lanes_8.cpp.o"
OWN = ("Lanes<8>", "LanesOf<8>")


def shared_functions(archive):
    """Functions that the wide file offers to all others."""
    listing = subprocess.run(["nm", "-C", archive], check=True, capture_output=True, text=True).stdout
    inside, found, seen = False, [], False
    for line in listing.splitlines():
        if line.endswith(".o:"):
            inside = line.startswith(MEMBER)
            seen = seen or inside
            continue
        parts = line.split(" ", 2)
        if inside and len(parts) == 3 and parts[1] == "W" and not any(name in parts[2] for name in OWN):
            found.append(parts[2])
    if not seen:
        raise SystemExit(f"{MEMBER} is not in {archive}")
    return found


def main():
    found = shared_functions(sys.argv[1])
    for name in found:
        print(f"compiled for AVX-512 and seen by all: {name}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
