"""Collects the frames of a stream into arrays."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.block import dataframe
from tactus.errors import TactusError
from tactus.frame import Frame, Layout
from tactus.private_file import draft_of, private_file

if TYPE_CHECKING:
    import pandas

    from tactus.session import Session

# What opens a compressed file, by its ending, as in `numpy.savetxt`.
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}

_COLUMNS = ("tick", "sim_time", "input_sequence", "input_age", "missed", "flags")

# The answer to so many names, some 100 bytes each, fits into a message.
_NAMES_OF_A_CALL = 10_000


class Recorder:
    """Stores the frames of one stream and returns them as numpy arrays.

    Parameters
    ----------
    session : Session, optional
        The session of the stream. It tells the units of the signals at the first frame, or in `to_dataframe` if it does not
        answer then. Default: units are left out.
    units : dict of str to str, optional
        The units, for a stream of asyncio: ``tactus.Recorder(units=await session.units)``.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         recorder = tactus.Recorder(session)
    ...         with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
    ...             for _ in range(3):
    ...                 recorder.add(stream.step({"motor": 1.0}))
    ...         recorder.to_dataframe().attrs["units"]["crank_angle"], recorder.arrays()["tick"]
    ('rad', array([1, 2, 3]))
    """

    def __init__(self, session: Session | None = None, *, units: Mapping[str, str] | None = None) -> None:
        if session is not None and (hasattr(session, "__aenter__") or not hasattr(session, "_units_of")):
            raise check.wrong("session", session, "a session of the blocking client, or units=await session.units")
        self._session = session
        self._units = units
        self._layout: Layout | None = None
        self._rows: list[tuple[int, ...]] = []
        self._values: list[bytes] = []

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        if self._session is not None:
            raise TypeError("a Recorder that holds a session cannot be copied or pickled: send its arrays(), or to_dataframe(), which has "
                            "the units; or make it by Recorder(units=session.units)")
        return super().__reduce_ex__(protocol)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, frame: Frame) -> None:
        """Stores a frame.

        Raises
        ------
        ValueError
            If the layout of the frame differs from that of the frames before.

        Examples
        --------
        >>> recorder = tactus.Recorder()
        >>> with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
        ...     for _ in range(3):
        ...         recorder.add(stream.step())
        >>> len(recorder)
        3
        """
        if self._layout is None:
            self._layout = frame.layout
            # The session may have ended when the units are needed. A frame is kept all the same if it has ended already.
            with contextlib.suppress(TactusError, ValueError):
                self._find_units()
        elif frame.layout is not self._layout and frame.layout.hash != self._layout.hash:
            raise ValueError("the frame has another layout than the frames before; use one recorder for each stream")
        message = frame.message
        self._rows.append(
            (
                message.tick,
                message.sim_time_ns,
                message.input_sequence,
                message.input_age_ticks,
                message.frames_missed,
                message.flags,
            )
        )
        self._values.append(message.packed or frame.values.tobytes())

    def _find_units(self) -> Mapping[str, str]:
        if self._units is None and self._session is not None and self._layout is not None:
            names = self._layout.names
            parts = [names[k : k + _NAMES_OF_A_CALL] for k in range(0, len(names), _NAMES_OF_A_CALL)]
            self._units = {name: unit for part in parts for name, unit in self._session._units_of(part).items()}
        return self._units or {}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Returns all frames, one array for each quantity.

        Returns
        -------
        dict of str to numpy.ndarray, shape (number of frames,)
            ``tick``, ``input_sequence``, ``input_age``, ``missed`` and ``flags`` as int64; ``sim_time`` in s as
            float64; and each signal under its name, in its SI unit, as float64.

        Examples
        --------
        >>> recorder = tactus.Recorder()
        >>> with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
        ...     for torque in (0.5, 1.0):
        ...         recorder.add(stream.step({"motor": torque}))
        >>> recorder.arrays()["sim_time"], recorder.arrays()["motor"]
        (array([0.001, 0.002]), array([0.5, 1. ]))
        """
        rows = np.array(self._rows, dtype=np.int64).reshape(len(self._rows), len(_COLUMNS))
        result: dict[str, npt.NDArray[np.generic]] = {name: rows[:, i].copy() for i, name in enumerate(_COLUMNS)}
        result["sim_time"] = rows[:, _COLUMNS.index("sim_time")] * 1e-9
        if self._layout is not None:
            values = np.frombuffer(b"".join(self._values), dtype="<f8").reshape(len(self._rows), len(self._layout))
            result.update((name, values[:, i].copy()) for i, name in enumerate(self._layout.names))
        return result

    def to_dataframe(self) -> pandas.DataFrame:
        """All frames as a ``pandas.DataFrame`` over the simulated time, s.

        With the session of the recorder, ``attrs["units"]`` has the unit of each signal.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> recorder = tactus.Recorder(session)
        >>> with session.tick(inputs=["motor"], outputs=["crank_rate"]) as stream:
        ...     recorder.add(stream.step({"motor": 1.0}))
        >>> recorder.to_dataframe().attrs["units"]["crank_rate"]
        'rad/s'
        """
        data = self.arrays()
        times = data.pop("sim_time").astype(np.float64)
        known = self._find_units()
        return dataframe(times, data, {name: known[name] for name in data if name in known})

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes time ``t``, s, and all signals as CSV. The format ``%.17g`` reproduces every double exactly.

        If that fails, a file that was there stays as it is. The endings ``.gz``, ``.bz2`` and ``.xz`` compress the file.

        Examples
        --------
        >>> recorder = tactus.Recorder()
        >>> with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
        ...     recorder.add(stream.step({"motor": 1.0}))
        >>> recorder.to_csv("run.csv")
        >>> np.loadtxt("run.csv", delimiter=",", skiprows=1)
        array([0.001, 1.   ])
        """
        data = self.arrays()
        names = self._layout.names if self._layout else ()
        table = np.column_stack([data["sim_time"], *(data[name] for name in names)])
        with draft_of(path) as draft:
            opener = _OPENERS.get(pathlib.Path(path).suffix, open)
            with opener(private_file(draft), "wt", encoding="utf-8") as file:
                np.savetxt(file, table, fmt="%.17g", delimiter=",", header=",".join(("t", *names)), comments="")
