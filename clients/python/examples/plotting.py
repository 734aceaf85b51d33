"""matplotlib for programs that write pictures to files."""

from typing import Any


def pyplot() -> Any:
    """``matplotlib.pyplot`` with a backend that needs no display. Imported on demand: the programs run without it."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot
