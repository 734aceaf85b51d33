#!/usr/bin/python3
"""Writes the manual pages and the completion of bash: write_manual.py PROGRAM FOLDER

FOLDER/man1 gets tactus.1 and a page for each subcommand, tactus-serve.1, tactus-session-create.1 and so on, made by help2man
from the help texts, and FOLDER/completion the output of `tactus completion bash`.
"""

import concurrent.futures
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def output_of(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def subcommands_of(program, words):
    """Pairs of name and purpose of what is below a command, from its help."""
    _, _, text = output_of(program, *words, "--help").partition("\nSubcommands:\n")
    return re.findall(r"^  ([a-z-]+)(?:, [a-z-]+)* +(\S.*)$", text, re.MULTILINE)


def pages_below(program, words, purpose):
    """(words, purpose, words below) of a command and of every command below it."""
    below = subcommands_of(program, words)
    yield words, purpose, [name for name, _ in below]
    for name, text in below:
        yield from pages_below(program, [*words, name], text)


def write_page(program, words, purpose, below, version, folder):
    """The page of the program or of one subcommand. help2man runs a program without arguments: a script adds the words."""
    name = "-".join(["tactus", *words])
    with tempfile.TemporaryDirectory() as scratch:
        others = pathlib.Path(scratch) / "others"
        names = [f"{name}-{word}" for word in below] or ["-".join(["tactus", *words[:-1]])]
        others.write_text("[SEE ALSO]\n" + ",\n".join(f".BR {page} (1)" for page in names) + "\n")
        script = pathlib.Path(scratch) / name
        script.write_text(f'#!/bin/bash\nexec -a tactus "{program}" {" ".join(words)} "$@"\n')
        script.chmod(0o755)
        page = output_of("help2man", "--no-info", "--section=1", f"--name={purpose}", f"--version-string={version}",
                         "--source=Tactus", f"--include={others}", str(script))
    # The path of the program on this machine is of no use to a reader.
    page = page.replace(str(program), "tactus").replace(str(program).replace("-", "\\-"), "tactus")
    with gzip.GzipFile(folder / f"{name}.1.gz", "wb", mtime=0) as file:
        file.write(page.encode())


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    pages = folder / "man1"
    shutil.rmtree(pages, ignore_errors=True)  # of an older program, with other subcommands
    pages.mkdir(parents=True)
    version = output_of(program, "--version").split()[1]
    todo = pages_below(program, [], "real-time multibody simulation server")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda page: write_page(program, *page, version, pages), todo))
    (folder / "completion").write_text(output_of(program, "completion", "bash"))


if __name__ == "__main__":
    main()
