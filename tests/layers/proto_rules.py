"""Numbers on the wire: once given to a field, never given to another one."""

import re

from source_tree import Finding

RECORD = "tests/layers/field_numbers.txt"
BLOCK = re.compile(r"^\s*(message|enum|oneof|service|extend)\s+(\w+)")
FIELD = re.compile(r"^\s*(?:(?:repeated|optional)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*(\d+)\s*[;\[]")
VALUE = re.compile(r"^\s*(\w+)\s*=\s*(-?\d+)\s*[;\[]")


def numbers_of(tree):
    """Maps "file message field" to (number, path, line), for every field and every enumerator."""
    numbers = {}
    for path in tree.under(["proto"], [".proto"]):
        blocks = []
        for line_number, line in tree.lines(path):
            code = line.split("//")[0]
            # One step for each brace or statement, so that several may share a line.
            for piece in re.findall(r"[^{};]*[{};]", code):
                if piece.endswith("{"):
                    match = BLOCK.match(piece)
                    blocks.append((match.group(1), match.group(2)) if match else ("", ""))
                elif piece.endswith("}"):
                    blocks.pop()
                elif blocks:
                    pattern = VALUE if blocks[-1][0] == "enum" else FIELD
                    match = pattern.match(piece)
                    if match and blocks[-1][0] in ("message", "enum", "oneof"):
                        scope = ".".join(name for kind, name in blocks if kind in ("message", "enum"))
                        numbers[f"{scope}.{match.group(1)}"] = (int(match.group(2)), path, line_number)
    return numbers


def render(numbers):
    """The text of the record."""
    return "".join(f"{name} = {number}\n" for name, (number, _, _) in sorted(numbers.items()))


def check_field_numbers(tree):
    """Findings on fields that were renumbered, dropped without being reserved, or not yet recorded."""
    numbers = numbers_of(tree)
    if RECORD not in tree.paths:
        return [Finding(RECORD, 0, "no record of field numbers; write it with check_house.py --record-numbers")]
    recorded = {}
    for _, line in tree.lines(RECORD):
        name, number = line.split(" = ")
        recorded[name] = int(number)

    findings = []
    for name, (number, path, line) in numbers.items():
        if name not in recorded:
            findings.append(Finding(path, line, f"{name} is not in {RECORD}; run check_house.py --record-numbers"))
        elif recorded[name] != number:
            findings.append(Finding(path, line, f"{name} was {recorded[name]} on the wire and is now {number}"))
    text = "\n".join(tree.text(path) for path in tree.under(["proto"], [".proto"]))
    for name in sorted(set(recorded) - set(numbers)):
        field = name.split(".")[-1]
        if not re.search(rf'reserved[^;]*"{field}"', text):
            findings.append(Finding(RECORD, 0, f"{name} is gone: its name and its number must be reserved"))
    return findings


def check_enum_zero(tree):
    """Findings on enums whose zero could be taken for a choice; enums of others keep their names."""
    return [
        Finding(path, line, f"{name} is zero and ends in neither _UNSPECIFIED nor _NONE")
        for name, (number, path, line) in numbers_of(tree).items()
        if number == 0 and "foxglove" not in str(path) and not name.endswith(("_UNSPECIFIED", "_NONE"))
    ]
