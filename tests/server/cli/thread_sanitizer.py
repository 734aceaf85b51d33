"""Whether a program is compiled for the sanitizer of threads, which writes a file of its own."""

import subprocess


def watches(program):
    return "libtsan" in subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
