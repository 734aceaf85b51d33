"""What every example program needs: the option --server, durations with units, output files, and exit codes."""

import argparse
import pathlib
import sys
from collections.abc import Callable

import tactus
from tactus import units


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
    folder = pathlib.Path(text).parent
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {folder}; create it")
    return text


def first_input(session: tactus.Session) -> str:
    """The first input of a session; ends the program if its model has none."""
    if not session.inputs:
        raise SystemExit(f"session {session.name!r} has no inputs to drive; choose another model")
    return session.inputs[0]


def run(main: Callable[[], None]) -> None:
    """Calls `main` and exits: 0 after success, 1 after an error of the server, 3 if no server answers."""
    try:
        main()
    except tactus.TactusError as error:
        print(error, file=sys.stderr)
        sys.exit(3 if isinstance(error, tactus.Unreachable) else 1)
