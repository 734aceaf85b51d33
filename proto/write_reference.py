#!/usr/bin/python3
"""Writes proto/model_reference.md; --check compares instead.

    python3 proto/write_reference.py build/release/tests/rt/model/print_fields [--check]

Every message and enum of model.proto has its section, in the order of the file, with the comment of the element. Unit,
default, range and meaning of a field come from its description in rt/model/elements, which the program prints; fields of
messages that a description holds as one member (Inertia, Coefficient) come from their comments.
"""
import json
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER / "tactus/v1/model.proto"
EXAMPLE = FOLDER / "example.json"
TARGET = FOLDER / "model_reference.md"

HEAD = """# Reference of the model format

Every element of a model file with its fields and equations. `python3 proto/write_reference.py
build/release/tests/rt/model/print_fields` writes this page from the descriptions of the fields in `rt/model/elements` and
the comments of `tactus/v1/model.proto`; a test compares it with them. SI units and radians everywhere. Findings of
`tactus model check` state the ranges in the same words. Examples are elements of `example.json`.

"""

BLOCK = re.compile(r"(message|enum) (\w+) \{(\})?")
FIELD = re.compile(r"(?:(repeated|optional) )?([\w.]+) (\w+) = (\d+);(?: *// *(.*))?")
VALUE = re.compile(r"(\w+) = (\d+);(?: *// *(.*))?")


def readable(comment):
    return " ".join(comment).replace("|", "\\|")


class Element:
    def __init__(self, kind, name, comment):
        self.kind, self.name, self.comment, self.rows = kind, name, comment, []


def parse(text):
    """The messages and enums of a proto file. Nested ones are not supported. Raises ValueError on an unreadable line."""
    elements, comment, current, choice = [], [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("//"):
            comment.append(line[2:].strip())
            continue
        block, field = BLOCK.fullmatch(line), FIELD.fullmatch(line)
        value = VALUE.fullmatch(line)
        if block:
            elements.append(Element(block[1], block[2], comment))
            current = None if block[3] else elements[-1]
        elif line.startswith("oneof "):
            choice = line.split()[1]
        elif line == "}":
            current, choice = (current, None) if choice else (None, None)
        elif current and current.kind == "enum" and value:
            current.rows.append((value[1], value[2], readable(comment + ([value[3]] if value[3] else []))))
        elif current and current.kind == "message" and field:
            label = {"repeated": "list of ", "optional": "", None: ""}[field[1]]
            notes = comment + ([field[5]] if field[5] else [])
            if choice:
                notes = [f"one of `{choice}`"] + notes
            current.rows.append((field[3], label + field[2], field[4], readable(notes)))
        elif line and current:
            raise ValueError(f"{SOURCE.name}:{number}: cannot read '{line}'")
        comment = []
    return elements


def tables_of(program, elements):
    """Descriptions of fields: (name of a message, name of a field) -> description."""
    messages = {e.name: {name: kind.split()[-1] for name, kind, *_ in e.rows} for e in elements if e.kind == "message"}
    found = {}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        field = json.loads(line)
        message = "Model"
        for step in field["table"].split("."):
            message = messages[message][step] if step else message
        found[message, field["name"]] = field
    return found


def linked(kind, names):
    """Text of a type in a table; a link if the type has a section on this page."""
    prefix, _, name = kind.rpartition(" ")
    shown = f"[{name}](#{name.lower()})" if name in names else name
    return f"{prefix} {shown}".strip()


def examples_of(elements):
    """Maps the name of each message to the JSON text of its first element in the example model."""
    model = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    found = {}
    for parent, values in (("Body", model["bodies"]), ("Joint", model["joints"]), ("Force", model["forces"]),
                           ("Drive", model["drives"]), ("Road", model["roads"]), ("Actuator", model["actuators"]),
                           ("Sensor", model["sensors"]), ("Parameter", model["parameters"]),
                           ("InitialCondition", model["initial_conditions"])):
        element = next(e for e in elements if e.name == parent)
        kinds = {name: kind for name, kind, _, notes in element.rows if notes.startswith("one of `")}
        if not kinds:
            found[parent] = values[0]
        for value in values:
            for name in kinds.keys() & value.keys():
                found.setdefault(kinds[name], value)
    return {name: json.dumps(value) for name, value in found.items()}


def row(e, name, kind, number, text, names, tables):
    """A line of the table of a message."""
    field = tables.get((e.name, name), {"unit": "", "default": "", "range": "", "text": text})
    cells = [f"`{name}`", linked(kind, names), number]
    cells += [readable([field[column]]) for column in ("unit", "default", "range", "text")]
    return "| " + " | ".join(cells) + " |\n"


def written(elements, tables):
    names = {e.name for e in elements}
    examples = examples_of(elements)
    out = [HEAD]
    for e in elements:
        out.append(f"## {e.name}\n\n")
        if e.comment:
            out.append(" ".join(e.comment) + "\n\n")
        if not e.rows:
            out.append("It has no fields.\n\n")
            continue
        if e.kind == "enum":
            out.append("| value | number | meaning |\n| --- | --- | --- |\n")
            out.extend(f"| `{name}` | {number} | {text} |\n" for name, number, text in e.rows)
        else:
            out.append("| field | type | number | unit | default | range | meaning |\n")
            out.append("| --- | --- | --- | --- | --- | --- | --- |\n")
            out.extend(row(e, *field, names, tables) for field in e.rows)
        if e.name in examples:
            out.append(f"\n```json\n{examples[e.name]}\n```\n")
        out.append("\n")
    return "".join(out).rstrip() + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        print(__doc__)
        return 2
    elements = parse(SOURCE.read_text(encoding="utf-8"))
    text = written(elements, tables_of(arguments[0], elements))
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET.name} is out of date; run python3 proto/write_reference.py PRINT_FIELDS")
    return 1


if __name__ == "__main__":
    sys.exit(main())
