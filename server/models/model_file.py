"""Writes the model files that a script makes, or says that a file in the tree is not what its script makes.

A script calls `main` with its models; the program then has two forms:

    make_x.py            writes NAME.json beside the script, for each model
    make_x.py --check    compares instead; exit status 1 and the first line that differs if a file has drifted
"""
import argparse
import itertools
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
WIDTH = 100  # columns of a line


def broken_text(value, depth=0, column=0):
    """JSON with two spaces of indentation, in which each list or object that fits stays on one line."""
    flat = json.dumps(value)
    if not isinstance(value, (dict, list)) or not value or (depth > 0 and column + len(flat) <= WIDTH):
        return flat
    margin = "  " * (depth + 1)
    if isinstance(value, dict):
        keys = [f"{margin}{json.dumps(key)}: " for key in value]
        lines = [key + broken_text(item, depth + 1, len(key)) for key, item in zip(keys, value.values())]
        return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"
    lines = [margin + broken_text(item, depth + 1, len(margin)) for item in value]
    return "[\n" + ",\n".join(lines) + "\n" + "  " * depth + "]"


def element_lines(model):
    """JSON with one element of each table (body, joint, force, ...) a line, however long."""
    lines = ["{"]
    for i, (key, value) in enumerate(model.items()):
        comma = "," if i + 1 < len(model) else ""
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"  {json.dumps(key)}: [")
            lines += ["    " + json.dumps(e) + ("," if k + 1 < len(value) else "") for k, e in enumerate(value)]
            lines.append("  ]" + comma)
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}{comma}")
    return "\n".join(lines + ["}"])


def first_difference(path, text):
    """None, or a sentence that names the first place in which the file differs from the text."""
    if not path.exists():
        return f"{path} does not exist"
    pairs = itertools.zip_longest(path.read_text().splitlines(), text.splitlines(), fillvalue="")
    for number, (found, made) in enumerate(pairs, start=1):
        if found != made:
            column = next(i for i, (a, b) in enumerate(itertools.zip_longest(found, made)) if a != b)
            around = slice(max(0, column - 40), column + 40)
            return f"{path}:{number}: the file has\n  {found[around]}\nand its script makes\n  {made[around]}"
    return None


def write_or_check(texts):
    """Writes each text to its path below this folder, or compares them with --check; ends the program."""
    script = sys.argv[0]
    parser = argparse.ArgumentParser(description=f"Writes {', '.join(texts)}")
    parser.add_argument("--check", action="store_true", help="compare the files with what would be written")
    options = parser.parse_args()
    drifted = 0
    for name, text in texts.items():
        path = FOLDER / name
        if not options.check:
            path.write_text(text)
            print(f"wrote {path}")
        elif difference := first_difference(path, text):
            drifted += 1
            print(f"{difference}\nchange the script and run {script}, not the file", file=sys.stderr)
    sys.exit(1 if drifted else 0)


def main(models, text_of=broken_text):
    """Writes or checks the file of each model; models are dicts with a name."""
    write_or_check({f"{model['name']}.json": text_of(model) + "\n" for model in models})
