#!/usr/bin/python3
"""Writes the first C++ block of clients/cpp/README.md as a program: first_program.py PAGE FILE

The address in the page becomes the first argument of the program.
"""
import pathlib
import re
import sys

page, file = map(pathlib.Path, sys.argv[1:])
text = re.search(r"^```cpp\n(.*?)^```$", page.read_text(), re.M | re.S)[1]
changed = text.replace("int main()", "int main(int, char** arguments)").replace('"127.0.0.1:50051"', "arguments[1]")
assert changed.count("arguments") == 2, "the block has another main() or another address"
file.write_text(changed)
