"""What every example program needs: the option --server, durations with units, output files, and exit codes."""

import argparse
import os
import pathlib
import sys
from collections.abc import Callable

import tactus
from tactus import units

PICTURES = (".png", ".svg", ".pdf")


def parser(description: str | None) -> argparse.ArgumentParser:
    """An argument parser with the option ``--server``.

    Parameters
    ----------
    description : str
        Docstring of the program, shown as it is.
    """
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--server", default="127.0.0.1:50051", help="address of the server (default: %(default)s)")
    return result


def duration(text: str) -> float:
    """Seconds of a duration with a unit: ``10s``, ``20ms``. For ``add_argument(type=duration)``."""
    try:
        return 1e-9 * units.duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def frequency(text: str) -> float:
    """Hertz of a frequency with a unit: ``60Hz``, ``0.5Hz``. For ``add_argument(type=frequency)``."""
    try:
        return units.frequency(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def output(text: str) -> str:
    """A file to be written, in a folder that exists. For ``add_argument(type=output)``."""
    path = pathlib.Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}; create it")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text} cannot be written; choose another file")
    return text


def picture(text: str) -> str:
    """A picture to be written. For ``add_argument(type=picture)``."""
    if pathlib.Path(text).suffix not in PICTURES:
        raise argparse.ArgumentTypeError(f"{text} is no picture; give a name that ends in {', '.join(PICTURES)}")
    return output(text)


def number(text: str) -> int:
    """A whole number above zero. For ``add_argument(type=number)``."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return int(text)


def first_input(session: tactus.Session) -> str:
    """The first input of a session; ends the program if its model has none."""
    if not session.inputs:
        raise SystemExit(f"session {session.name!r} has no inputs to drive; choose another model")
    return session.inputs[0]


def run(main: Callable[[], None]) -> None:
    """Calls `main` and exits: 0 after success, 1 after an error of the server or of a file, 3 if no server answers, 130 after Ctrl-C."""
    try:
        main()
    except tactus.TactusError as error:
        print(error, file=sys.stderr)
        sys.exit(3 if isinstance(error, tactus.Unreachable) else 1)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}" if error.filename else error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
