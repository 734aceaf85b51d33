"""Numbers on the wire: once given to a field, never given to another one."""

import re

from source_tree import Finding

RECORD = "tests/layers/field_numbers.txt"
BLOCK = re.compile(r"^\s*(message|enum|oneof|service|extend)\s+(\w+)")
FIELD = re.compile(r"^\s*(?:(?:repeated|optional)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*(\d+)\s*[;\[]")
VALUE = re.compile(r"^\s*(\w+)\s*=\s*(-?\d+)\s*[;\[]")


def statements_of(tree):
    """(kind of the innermost block, scope of messages and enums, statement, path, line) of every statement."""
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
                    scope = ".".join(name for kind, name in blocks if kind in ("message", "enum"))
                    yield blocks[-1][0], scope, piece, path, line_number


def numbers_of(tree):
    """Maps "message.field" to (number, path, line), for every field and every enumerator."""
    numbers = {}
    for kind, scope, statement, path, line in statements_of(tree):
        match = (VALUE if kind == "enum" else FIELD).match(statement)
        if match and kind in ("message", "enum", "oneof"):
            numbers[f"{scope}.{match.group(1)}"] = (int(match.group(2)), path, line)
    return numbers


def reserved_of(tree):
    """Names and numbers that each message and each enum reserves: pairs (scope, name) and (scope, number)."""
    reserved = set()
    for _, scope, statement, _, _ in statements_of(tree):
        words = statement.strip().rstrip(";")
        if not words.startswith("reserved"):
            continue
        reserved |= {(scope, name) for name in re.findall(r'"(\w+)"', words)}
        for first, last in re.findall(r"(-?\d+)(?:\s+to\s+(-?\d+))?", words):
            reserved |= {(scope, number) for number in range(int(first), int(last or first) + 1)}
    return reserved


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
    reserved = reserved_of(tree)
    gone = {}  # scope and number: the name that had it
    for name in sorted(set(recorded) - set(numbers)):
        scope, field = name.rsplit(".", 1)
        gone[scope, recorded[name]] = name
        if (scope, field) not in reserved or (scope, recorded[name]) not in reserved:
            findings.append(Finding(RECORD, 0, f"{name} is gone: {scope} must reserve its name and its number"))
    for name, (number, path, line) in numbers.items():
        former = gone.get((name.rsplit(".", 1)[0], number))
        if former:
            findings.append(Finding(path, line, f"{name} has the number of {former} on the wire; take another one"))
    return findings


def check_enum_zero(tree):
    """Findings on enums whose zero could be taken for a choice; enums of others keep their names."""
    return [
        Finding(path, line, f"{name} is zero and ends in neither _UNSPECIFIED nor _NONE")
        for name, (number, path, line) in numbers_of(tree).items()
        if number == 0 and "foxglove" not in str(path) and not name.endswith(("_UNSPECIFIED", "_NONE"))
    ]
