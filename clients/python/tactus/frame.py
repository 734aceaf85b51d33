"""The values of one tick, by position and by name."""

import enum

import numpy as np


class Flag(enum.IntFlag):
    """Flags of a frame, added."""

    OVERRUN = 1  #: grid points passed before the tick, or catch-up started it late
    INPUT_HELD = 2  #: no new input since the tick before
    FAULT = 4  #: the step was not finite; the values are the last good state
    FRAMES_MISSED = 8  #: this reader missed frames just before this one
    NOT_CONVERGED = 16  #: the last Newton increment exceeded the monitor's limit
    PARAMETERS_CHANGED = 32  #: parameters of the model changed since the last frame of this stream


class InputMode(enum.IntEnum):
    """Under which authority the actuators were in a tick."""

    FREE = 1  #: nobody is expected to send inputs; values stay as they are
    DRIVEN = 2  #: a controller sends inputs, and not too many in a row are missing
    HOLDING = 3  #: its inputs are lost; all values are held; ends with the next input
    SAFE = 4  #: actuators are at rest where the model wants them; left by `Session.clear_safe_state` only
    EXTRAPOLATING = 5  #: its inputs are lost; a value goes on as it went
    RAMPING = 6  #: a value is on its way to the safe one; left by `Session.clear_safe_state` only


class Layout:
    """The order of the values of a stream, agreed once when it is opened.

    Attributes
    ----------
    names : tuple of str
        Signal names in the order of the values.
    hash : int
        Over names, order and units: equal at both ends.
    """

    __slots__ = ("hash", "names", "_index")

    def __init__(self, message):
        self.names = tuple(message.signals)
        self.hash = message.hash
        self._index = {name: i for i, name in enumerate(self.names)}

    def __len__(self):
        return len(self.names)

    def __contains__(self, name):
        return name in self._index

    def index(self, name):
        """Position of a signal.

        Raises
        ------
        KeyError
            If the layout does not hold it.
        """
        try:
            return self._index[name]
        except KeyError:
            raise KeyError(f"{name!r} is not in the layout of this stream") from None


class Frame:
    """The agreed signals after one tick.

    ``frame["crank.r.x"]`` is one value, ``frame.values`` all of them in the order of ``frame.layout.names``.
    """

    __slots__ = ("layout", "message", "_values")

    def __init__(self, message, layout):
        self.message = message
        self.layout = layout
        self._values = None

    @property
    def tick(self):
        """int : number of the tick."""
        return self.message.tick

    @property
    def sim_time(self):
        """float : simulated time, s."""
        return self.message.sim_time_ns * 1e-9

    @property
    def server_time_ns(self):
        """int : wall clock of the server when the tick was published, ns since 1970."""
        return self.message.server_time_ns

    @property
    def sequence(self):
        """int : counts the frames of this stream from 1."""
        return self.message.sequence

    @property
    def input_sequence(self):
        """int : what `TickStream.send` returned for the input that the tick used; 0 before the first."""
        return self.message.input_sequence

    @property
    def input_age(self):
        """int : ticks since that input was first used."""
        return self.message.input_age_ticks

    @property
    def missed(self):
        """int : frames that were due to this reader and not sent to it, since the stream began."""
        return self.message.frames_missed

    @property
    def flags(self):
        """Flag : what was special about the tick."""
        return Flag(self.message.flags)

    @property
    def input_mode(self):
        """InputMode : under which authority the actuators were."""
        return InputMode(self.message.input_mode)

    @property
    def values(self):
        """numpy.ndarray : float64, read-only, in the order of the layout; a view, nothing is copied."""
        if self._values is None:
            message = self.message
            if message.packed or not message.values:
                self._values = np.frombuffer(message.packed, dtype="<f8")
            else:
                self._values = np.array(message.values)
                self._values.flags.writeable = False
        return self._values

    def __getitem__(self, name):
        return float(self.values[self.layout.index(name)])

    def to_dict(self):
        """dict of str to float : all values by name."""
        return dict(zip(self.layout.names, self.values.tolist()))

    def __repr__(self):
        return f"<Frame tick={self.tick} sim_time={self.sim_time:.9g} signals={len(self.layout)} missed={self.missed}>"
