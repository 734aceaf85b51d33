"""Writes the pictures of the gallery, or compares them with what their script draws now.

Two drawings are alike if their text is, number by number: a trajectory of another compiler may differ in its last bits,
and a coordinate that is rounded to a tenth of a pixel then in its last digit.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PIXELS = 0.3  # three times the last digit


def difference(found, drawn):
    """None if the drawings are alike, or what differs."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", drawn):
        return "its elements differ"
    pairs = zip(NUMBER.findall(found), NUMBER.findall(drawn))
    worst = max((abs(float(a) - float(b)) for a, b in pairs), default=0.0)
    return f"a coordinate differs by {worst:.1f}" if worst > PIXELS else None


def finish(pictures, check):
    """Writes NAME.svg for each name and text, or exits with status 1 if a picture has drifted from its text."""
    drifted = False
    for name, text in pictures.items():
        path = FOLDER / f"{name}.svg"
        if not check:
            path.write_text(text)
            print(f"wrote {path}, {len(text)} bytes")
        elif not path.exists():
            drifted = True
            print(f"{path} does not exist; run {sys.argv[0]}", file=sys.stderr)
        elif reason := difference(path.read_text(), text):
            drifted = True
            print(f"{path}: {reason}; run {sys.argv[0]} without --check and look at the picture", file=sys.stderr)
    sys.exit(1 if drifted else 0)
