"""A frame: the values of one tick, by position and by name."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tactus.v1 import state_pb2


class Flag(enum.IntFlag):
    """Properties of a frame; a frame may have several.

    Examples
    --------
    >>> import tactus
    >>> tactus.Flag.OVERRUN in tactus.Flag(3), tactus.Flag.FAULT in tactus.Flag(3)
    (True, False)
    """

    OVERRUN = 1  #: a deadline passed before the tick could start, or catch-up started the tick late
    INPUT_HELD = 2  #: no new input arrived since the previous tick
    FAULT = 4  #: the step failed; the values are those of the last good state
    FRAMES_MISSED = 8  #: this reader missed frames immediately before this one
    NOT_CONVERGED = 16  #: the increment of the last Newton iteration exceeded its limit
    PARAMETERS_CHANGED = 32  #: parameters of the model changed since the previous frame of this stream


class InputMode(enum.IntEnum):
    """Who or what determined the actuator values of a tick.

    Examples
    --------
    >>> import tactus
    >>> tactus.InputMode(4).name
    'SAFE'
    """

    FREE = 1  #: no controller is expected to send inputs; the values stay as they are
    DRIVEN = 2  #: a controller sends inputs, and no more of them are missing in a row than the limit allows
    HOLDING = 3  #: the controller is lost; all values are held until the next input
    SAFE = 4  #: the actuators are in the safe state; inputs are ignored until `Session.clear_safe_state`
    EXTRAPOLATING = 5  #: the controller is lost; at least one value is extrapolated until the next input
    RAMPING = 6  #: a value moves to its safe value; inputs are ignored until `Session.clear_safe_state`


class Layout:
    """Names and order of the values of a stream. Client and server agree on it when the stream opens.

    Attributes
    ----------
    names : tuple of str
        Signal names in the order of the values.
    hash : int
        Hash over names, order and units. Equal hashes mean equal layouts.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         layout = session.read("crank_rate", "motor").layout
    >>> layout.names, layout.index("motor"), "crank_rate" in layout
    (('crank_rate', 'motor'), 1, True)
    """

    __slots__ = ("hash", "names", "_index")

    def __init__(self, message: state_pb2.Layout) -> None:
        self.names: tuple[str, ...] = tuple(message.signals)
        self.hash: int = message.hash
        self._index = {name: i for i, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def index(self, name: str) -> int:
        """Position of a signal in the values, from 0.

        Raises
        ------
        KeyError
            If the layout does not contain the signal.

        Examples
        --------
        >>> frame = session.read("crank_rate", "motor")
        >>> print(frame.layout.index("motor"), frame.values[frame.layout.index("motor")])
        1 0.0
        """
        try:
            return self._index[name]
        except KeyError:
            shown = ", ".join(self.names[:10]) + (", ..." if len(self.names) > 10 else "")
            raise KeyError(f"{name!r} is not in the layout of this stream, which has {shown or 'no signals'}") from None


class Frame:
    """The agreed signals after one tick.

    ``frame["crank.r.x"]`` is one value as a float. ``frame.values`` is the array of all values in the order of
    ``frame.layout.names``. Each value is in the SI unit of its signal.

    Attributes
    ----------
    layout : Layout
    message : tactus.v1.StateFrame
        The message as it was received.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         frame = session.read("crank_angle", "crank_rate")
    >>> frame.tick, sorted(frame.to_dict())
    (0, ['crank_angle', 'crank_rate'])
    """

    __slots__ = ("layout", "message", "_values")

    def __init__(self, message: state_pb2.StateFrame, layout: Layout) -> None:
        self.message = message
        self.layout = layout
        self._values: npt.NDArray[np.float64] | None = None

    @property
    def tick(self) -> int:
        """int : number of the tick."""
        return self.message.tick

    @property
    def sim_time(self) -> float:
        """float : simulated time, s."""
        return self.message.sim_time_ns * 1e-9

    @property
    def server_time_ns(self) -> int:
        """int : wall clock of the server when the tick was published, ns since 1970."""
        return self.message.server_time_ns

    @property
    def sequence(self) -> int:
        """int : number of the frame in its stream, from 1."""
        return self.message.sequence

    @property
    def input_sequence(self) -> int:
        """int : number of the input that the tick used, as returned by `TickStream.send`; 0 before the first input."""
        return self.message.input_sequence

    @property
    def input_age(self) -> int:
        """int : ticks since this input was first used; 0 in the first tick that used it."""
        return self.message.input_age_ticks

    @property
    def missed(self) -> int:
        """int : frames that were due to this reader since the stream began and were not sent."""
        return self.message.frames_missed

    @property
    def flags(self) -> Flag:
        """Flag : properties of the tick."""
        return Flag(self.message.flags)

    @property
    def input_mode(self) -> InputMode:
        """InputMode : who or what determined the actuator values."""
        return InputMode(self.message.input_mode)

    @property
    def group_modes(self) -> tuple[InputMode, ...]:
        """tuple of InputMode : the same for each group of actuators, in the order of ``Session.status().groups``."""
        return tuple(InputMode(mode) for mode in self.message.group_modes)

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """numpy.ndarray, shape (len(layout),), float64 : values in the order of the layout; a read-only view."""
        if self._values is None:
            message = self.message
            if message.packed or not message.values:
                self._values = np.frombuffer(message.packed, dtype="<f8")
            else:
                self._values = np.array(message.values)
                self._values.flags.writeable = False
        return self._values

    def __contains__(self, name: object) -> bool:
        return name in self.layout.names

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.layout.index(name)])

    def to_dict(self) -> dict[str, float]:
        """dict of str to float : all values by name.

        Examples
        --------
        >>> frame = session.read("motor", "energy.input")
        >>> print(frame.to_dict())
        {'motor': 0.0, 'energy.input': 0.0}
        """
        return dict(zip(self.layout.names, self.values.tolist()))

    def __repr__(self) -> str:
        return f"<Frame tick={self.tick} sim_time={self.sim_time:.9g} signals={len(self.layout)} missed={self.missed}>"
