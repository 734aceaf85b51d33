"""The outputs of a block of ticks, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas


class Block:
    """Outputs of a block of ticks, made by `Session.run` and `Simulation.run`.

    ``block["energy.total"]`` is one signal over all rows, ``block.values`` the table of all signals.

    Attributes
    ----------
    names : tuple of str
        Signal names in the order of the columns.
    ticks : numpy.ndarray, shape (rows,), int64
        Number of the tick of each row.
    sim_time : numpy.ndarray, shape (rows,), float64
        Simulated time of each row, s.
    values : numpy.ndarray, shape (rows, len(names)), float64
        Each value in the SI unit of its signal.
    units : dict of str to str
        Unit of each signal; without those that are not known.

    Examples
    --------
    >>> import tactus
    >>> block = tactus.Simulation("motor_four_bar").run(20, outputs=["crank_angle"], every=5)
    >>> len(block), block.names, block.units["crank_angle"], block["crank_angle"].shape
    (4, ('crank_angle',), 'rad', (4,))
    """

    __slots__ = ("names", "sim_time", "ticks", "units", "values", "_index")

    def __init__(
        self,
        names: Sequence[str],
        ticks: npt.NDArray[np.int64],
        sim_time: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        units: Mapping[str, str],
    ) -> None:
        self.names = tuple(names)
        self.ticks = ticks
        self.sim_time = sim_time
        self.values = values
        self.units = {name: units[name] for name in self.names if name in units}
        self._index = {name: i for i, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.ticks)

    def __iter__(self) -> Iterator[str]:
        # Without this method, Python would look for rows by their numbers.
        raise TypeError("a Block is not iterated over; use its `names`, or block[name] for the rows of a signal")

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        """All rows of one signal, a view.

        Raises
        ------
        KeyError
            If the block does not contain the signal.
        """
        try:
            column: npt.NDArray[np.float64] = self.values[:, self._index[name]]
        except KeyError:
            raise KeyError(f"{name!r} is not an output of this block; its outputs are {', '.join(self.names) or 'none'}") from None
        return column

    def to_dataframe(self) -> pandas.DataFrame:
        """The table as a ``pandas.DataFrame`` over the simulated time; ``attrs["units"]`` has the units.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> block = tactus.Simulation("motor_four_bar").run("50ms", outputs=["crank_angle"], every=10)
        >>> frame = block.to_dataframe()
        >>> frame.shape, frame.attrs["units"]["crank_angle"]
        ((5, 2), 'rad')
        """
        return dataframe(self.sim_time, {"tick": self.ticks} | {name: self[name] for name in self.names}, self.units)

    def __repr__(self) -> str:
        ticks = f"{self.ticks[0]} to {self.ticks[-1]}" if len(self) else "none"
        return f"<Block ticks={ticks} rows={len(self)} signals={len(self.names)}>"


def dataframe(
    sim_time: npt.NDArray[np.float64], columns: Mapping[str, npt.NDArray[np.generic]], units: Mapping[str, str]
) -> pandas.DataFrame:
    """A ``pandas.DataFrame`` of columns over the simulated time, s, with the units in ``attrs["units"]``.

    Raises
    ------
    ImportError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("to_dataframe needs pandas; install it (Debian: python3-pandas)") from missing
    frame = pandas.DataFrame(dict(columns), index=pandas.Index(sim_time, name="sim_time"))
    frame.attrs["units"] = {"sim_time": "s", **units}
    return frame
