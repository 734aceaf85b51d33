"""What a page says, held against the tree and the program.

Every path in backticks exists, every relative link leads to a file, every script that is called by its name can be run so,
and every `tactus COMMAND --flag` is in the help of the program. A path begins with a folder of the tree, or is the end of a path to a source: `tick_loop.h`.
"""
import os
import re
import subprocess

from source_tree import Finding

FOLDERS = ("rt/", "server/", "clients/", "proto/", "tests/", "docker/", ".github/")
SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^(```|~~~)")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"")
PATH = re.compile(r"^[\w.\-+/]+$")
SOURCE = re.compile(r"^[\w.\-]+(/[\w.\-]+)*\.(h|cpp|py|proto|cmake|supp)$")
COMMAND = re.compile(r"(?:^|[\s`(|/])tactus\s+([a-z]+)((?:\s+[a-z]+(?:-[a-z]+)*)?)(.*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# Of model, recording and so on, the second word is a subcommand of its own.
NESTED = {"analyse", "certificate", "fmu", "model", "snapshot", "recording", "link", "session", "token"}


def pages(tree):
    return [path for path in tree.paths if path.endswith(".md") and not path.startswith("proto/model_reference")]


def check_paths(tree):
    """Findings on paths in backticks and links that lead nowhere."""
    findings = []
    files = set(tree.paths)
    folders = {path.rsplit("/", n)[0] for path in files for n in range(1, path.count("/") + 1)}
    ends = {"/".join(path.split("/")[n:]) for path in files for n in range(path.count("/") + 1)}

    def exists(word):
        return word in files or word in folders or word in ends or "NAME" in word

    for page in pages(tree):
        for number, line in tree.lines(page):
            for span in SPAN.findall(line):
                for word in span.split():
                    word = word.rstrip(".,:;").rstrip("/")
                    is_path = (word.startswith(FOLDERS) and PATH.match(word)) or (word == span and SOURCE.match(word))
                    if is_path and not exists(word):
                        findings.append(Finding(page, number, f"names {word}, which does not exist"))
            for target in (a or b for a, b in LINK.findall(line)):
                if "://" in target or target.startswith("mailto:"):
                    continue
                if not (tree.root / page).parent.joinpath(target).exists():
                    findings.append(Finding(page, number, f"links to {target}, which does not exist"))
    return findings


def shell_lines(tree, page):
    """(line number, text) of what may be a command: parts of spans and of fenced lines, without comments."""
    fenced = False
    for number, line in tree.lines(page):
        if FENCE.match(line.strip()):
            fenced = not fenced
            continue
        texts = [line.split(" #")[0]] if fenced else SPAN.findall(line)
        for text in texts:
            for part in re.split(r"[;|]|&&", text):
                yield number, part.strip()


def check_scripts(tree):
    """Findings on scripts that a page calls with arguments and without an interpreter, and that cannot be run so."""
    findings = []
    for page in pages(tree):
        for number, text in shell_lines(tree, page):
            script, _, arguments = text.partition(" ")
            if not arguments or not re.fullmatch(r"[\w./]+\.(py|sh)", script):
                continue
            for path in (path for path in tree.paths if f"/{path}".endswith(f"/{script.removeprefix('./')}")):
                if not os.access(tree.root / path, os.X_OK) or not tree.text(path).startswith("#!"):
                    findings.append(Finding(page, number, f"runs {script}, but {path} is not executable or does not "
                                                          "begin with #!"))
    return findings


def command_lines(tree, page):
    """(line number, text) of the commands of tactus."""
    return ((number, text) for number, text in shell_lines(tree, page) if COMMAND.search(text))


def check_commands(tree, help_of):
    """Findings on subcommands and options that help_of(words) does not know; it returns None for no such command."""
    findings = []
    for page in pages(tree):
        for number, text in command_lines(tree, page):
            command, nested, rest = COMMAND.search(text).groups()
            words = [command]
            if command in NESTED and nested.strip():
                words.append(nested.strip())
            help_text = help_of(words)
            if help_text is None:
                findings.append(Finding(page, number, f"names tactus {' '.join(words)}, which does not exist"))
                continue
            known = set(OPTION.findall(help_text))
            for option in OPTION.findall(nested + rest):
                if option not in known and option != "--help":
                    findings.append(Finding(page, number, f"names tactus {' '.join(words)} {option}, "
                                                          "which its help does not have"))
    return findings


class Program:
    """Help texts of a program, asked for once."""

    def __init__(self, program):
        self.program, self.texts = program, {}

    def __call__(self, words):
        key = tuple(words)
        if key not in self.texts:
            result = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True)
            self.texts[key] = result.stdout if result.returncode == 0 else None
        return self.texts[key]
