"""The tick of the server in this process: no server, no connection, the same bits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from tactus import check, units
from tactus.block import Block
from tactus.errors import SessionFaulted, TactusError
from tactus.input_rows import Rows, Ticks, input_rows, tick_count
from tactus.model_text import model_words
from tactus.simulation_analyses import Analyses
from tactus.simulation_parts import Body, Signal, body_of, setting_values
from tactus.simulation_signals import SimulationSignals

try:
    from tactus import _native
except ImportError as missing:
    raise ImportError(
        f"tactus.Simulation needs the module tactus._native, which cannot be imported: {missing}. Install "
        "pybind11-dev, build the target tactus_native, and install the package again"
    ) from missing

if TYPE_CHECKING:
    from tactus._native import SavedState

#: Input values by name, or all in the order of the model. A row of a table, such as a ``pandas.Series`` whose labels are
#: texts, counts as a mapping.
Values = Union[Mapping[str, float], Sequence[float], "npt.NDArray[np.float64]"]


class Simulation(SimulationSignals, Analyses):
    """A model and its ticks in this process. The same inputs give the same bits as a session of a server.

    One thread uses a simulation at a time. Ticks run without the lock of the interpreter: simulations of several
    threads run side by side.

    Parameters
    ----------
    model : str, os.PathLike or dict
        A built-in model (``"four_bar"``, ``"chain:n=8"``), a file (``.json`` or ``.txtpb``), or the content of a model
        file. A `tactus.build.Model` with a ``folder`` may name files in it; the content of a dict may not.
    period : str, timedelta or float, optional
        Period of a tick: ``"1ms"``, ``"500Hz"``, or seconds as a float. Default: that of the model.
    initial_condition : str
        Name of an initial condition of the model. Default: the initial state that the bodies declare.
    parameters : dict of str to float, optional
        Parameters of the model whose values shall differ from those that it declares.
    threads : int
        Threads that share a step.
    **settings : float or bool
        Settings of the solver by name: ``iterations=3, full_newton=True``. ``tactus integrators`` lists them at
        ``ali3p``. Default: what the model recommends.

    Raises
    ------
    ModelUnknown, ParameterUnknown, RequestInvalid
    ModelInvalid
        If the model violates rules; ``findings`` lists all violations.

    Attributes
    ----------
    model : str
        Name of the model.
    inputs : list of str
        Names of the actuators, in the order of the model.
    bodies : list of str
        Names of the bodies, in the order of the model.
    period : float
        Period of a tick, s.
    period_ns : int
        Period of a tick, ns.
    units : dict of str to str
        Unit of each signal.

    Examples
    --------
    >>> import tactus
    >>> simulation = tactus.Simulation("motor_four_bar", period="1ms")
    >>> block = simulation.run("1s", inputs={"motor": 1.0}, outputs=["crank_angle", "energy.*"], every=10)
    >>> simulation.tick, block["crank_angle"].shape
    (1000, (100,))
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | Mapping[str, Any],
        *,
        period: units.Duration | None = None,
        initial_condition: str = "",
        parameters: Mapping[str, float] | None = None,
        threads: int = 1,
        **settings: float,
    ) -> None:
        self._native = _native.Simulation(
            *model_words(model),
            units.period(period) if period is not None else 0,
            setting_values(settings, _native.setting_names()),
            list(check.numbers("parameters", parameters).items()),
            check.text("initial_condition", initial_condition),
            check.count("threads", threads, check.MOST_32),
        )
        self.model = self._native.model_name()
        self.inputs = self._native.actuator_names()
        self.bodies = self._native.body_names()
        self.period_ns = self._native.period_ns
        self.period = self.period_ns * 1e-9
        self._actuators = {name: i for i, name in enumerate(self.inputs)}
        self._all = list(range(len(self.inputs)))
        self._signals = [Signal(*entry) for entry in self._native.signals()]
        self.units = {signal.name: signal.unit for signal in self._signals}

    def __reduce__(self) -> tuple[object, ...]:  # a shallow copy would share the ticks
        raise TypeError("a Simulation cannot be copied or pickled: make another one of the same model, and restore(save()) takes "
                        "it to the same state; to another process, send what save() returns")

    def __repr__(self) -> str:
        return f"<Simulation of {self.model}: tick={self.tick}>"

    # ---- ticks ----

    def step(self, ticks: int = 1, inputs: Values | None = None) -> None:
        """Runs ticks with held inputs.

        Parameters
        ----------
        ticks : int
            Number of ticks.
        inputs : mapping or sequence, optional
            Values from the first tick on: a mapping of names, or a row of a table (``table.iloc[0]``), changes these inputs,
            a sequence has all values in the order of the model. Default: the inputs stay as they are.

        Raises
        ------
        SignalUnknown, ValueOutOfRange, NotFinite
            If an input is refused. No tick has run.
        SessionFaulted
            If a step failed. The simulation keeps its last good state until it is reset or restored.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> simulation.step(10, {"motor": 0.5})  # the value stays for all further ticks
        >>> simulation.tick, simulation["motor"]
        (10, 0.5)
        """
        ticks = check.count("ticks", ticks)
        if ticks < 1:
            raise ValueError(f"ticks={ticks!r} must be above zero")
        if inputs is not None:
            self.set_inputs(inputs)
        if self._native.step(ticks) != ticks:
            raise self._fault()

    def set_inputs(self, inputs: Values) -> None:
        """Sets inputs for all further ticks: some by name, also as a row of a table, or all in the order of the model.

        Raises
        ------
        SignalUnknown, ValueOutOfRange, NotFinite
            If an input is refused; none is set.
        ValueError
            If the number of values is wrong.

        Examples
        --------
        >>> simulation = tactus.Simulation("sedan")
        >>> simulation.set_inputs({"throttle": 0.4, "steering": 0.02})
        >>> simulation.step(100)
        >>> simulation["throttle"]
        0.4
        """
        inputs = check.by_name("inputs", inputs)
        if isinstance(inputs, Mapping):
            numbers = check.numbers("inputs", inputs)
            self._native.set_inputs(self._indices(numbers), np.array(list(numbers.values()), dtype=np.float64))
            return
        values = check.array("inputs", inputs).ravel()
        if len(values) != len(self.inputs):
            raise ValueError(f"{len(values)} values for {len(self.inputs)} inputs; give one value for each input")
        self._native.set_inputs(self._all, values)

    def run(
        self,
        ticks: Ticks,
        inputs: Rows | Callable[[Simulation], Values | None] = None,
        outputs: str | Iterable[str] = (),
        every: int = 1,
        hold: int = 1,
    ) -> Block:
        """Runs a block of ticks. Ctrl-C ends it between two ticks.

        Parameters
        ----------
        ticks : int, str or timedelta
            Number of ticks, or a duration: ``"2s"``, and no float.
        inputs : array_like, mapping or callable, optional
            An array of shape (ticks, number of actuators): one row for each tick. A mapping of names of actuators to a
            value, or to an array of shape (ticks,). Or a function that gets the simulation and returns the inputs of
            the next `hold` ticks, by name or in the order of the model, or None to leave them. Default: the inputs stay
            as they are.
        outputs : iterable of str
            Names or globs of signals. Default: none.
        every : int
            A row of outputs at every n-th tick of the block.
        hold : int
            Ticks between two calls of a function.

        Returns
        -------
        Block

        Raises
        ------
        ValueError
            If the inputs have the wrong shape.
        SignalUnknown, ValueOutOfRange, NotFinite
            If an input or an output is refused. No tick has run; with a function, no tick since its last call, and
            ``error.block`` has the rows before that call.
        SessionFaulted
            If a step failed. ``error.block`` has the rows before.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar", period="1ms")
        >>> def damp(now):
        ...     return {"motor": -0.1 * now["crank_rate"]}
        >>> block = simulation.run("0.5s", inputs=damp, outputs=["crank_rate"], every=100, hold=5)  # a controller at 200 Hz
        >>> block.sim_time
        array([0.1, 0.2, 0.3, 0.4, 0.5])
        """
        if check.count("every", every) < 1 or check.count("hold", hold) < 1:
            raise ValueError(f"every={every!r} and hold={hold!r} must be above zero")
        count = tick_count(ticks, self.period_ns)
        selected = self._native.select(check.texts("outputs", outputs))
        if callable(inputs):
            parts, error = self._run_with(inputs, count, selected, every, hold)
        else:
            names, rows = input_rows(count, inputs, self.inputs)
            parts, error = [self._native.run(count, self._indices(names), rows, selected, every)], None
        done = sum(part[0] for part in parts)
        block = self._block(selected, [part[1:] for part in parts], done // every)
        if done != count:
            failure = error or self._fault()
            failure.block = block
            raise failure
        return block

    def _run_with(
        self, inputs: Callable[[Simulation], Values | None], count: int, selected: list[int], every: int, hold: int
    ) -> tuple[list[Any], TactusError | None]:
        # A function is called every `hold` ticks; rows of outputs lie at every n-th tick of the block. A part ends at
        # the nearer of both.
        parts: list[Any] = []
        none = np.empty((0, 0))
        start = 0
        while start < count:
            if start % hold == 0:
                try:
                    values = inputs(self)
                    if values is not None:
                        self.set_inputs(values)
                except TactusError as error:
                    return parts, error
            length = min(hold - start % hold, every - start % every, count - start)
            row = (start + length) % every == 0
            part = self._native.run(length, [], none, selected if row else [], length)
            parts.append(part)
            if part[0] != length:
                break
            start += length
        return parts, None

    def _block(self, selected: list[int], parts: list[Any], rows: int) -> Block:
        names = [self._signals[i].name for i in selected]
        ticks = np.concatenate([part[0] for part in parts])[:rows] if selected and parts else np.empty(0, dtype=np.int64)
        tables = [part[1] for part in parts if part[1].shape[1:] == (len(names),)]
        values = np.concatenate(tables)[:rows] if selected and tables else np.empty((len(ticks), len(names)))
        return Block(names, ticks, ticks * self.period_ns * 1e-9, values, self.units)

    def _require_inputs(self, ticks: int, inputs: Rows) -> None:
        """Refuses inputs as `run` does. A run in parts whose length follows the clock asks before its first part."""
        is_constant = isinstance(inputs, Mapping) and all(np.ndim(column) == 0 for column in inputs.values())
        names, rows = input_rows(1 if is_constant else ticks, inputs, self.inputs)
        self._native.check_rows(self._indices(names), rows)

    def _indices(self, names: Iterable[str]) -> list[int]:
        return [self._actuators[name] if name in self._actuators else self._native.actuator(name) for name in names]

    def _fault(self) -> SessionFaulted:
        return SessionFaulted(
            self._native.fault(),
            "FAILED_PRECONDITION",
            "SESSION_FAULTED",
            hint="reset() begins again, restore() continues from a saved state",
        )

    # ---- state ----

    @property
    def tick(self) -> int:
        """int : number of the last tick."""
        return self._native.tick

    @property
    def sim_time(self) -> float:
        """float : simulated time, s."""
        return self.tick * self.period_ns * 1e-9

    @property
    def state(self) -> npt.NDArray[np.float64]:
        """numpy.ndarray, float64 : the values of the state, a read-only view that shows every later tick.

        19 values for each body, see `body`; then multipliers, joint displacements, internal states, inputs and work.
        """
        return self._native.state

    def body(self, name: str) -> Body:
        """Views of the state of a body.

        Raises
        ------
        KeyError
            If the model has no body of this name.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> crank = simulation.body("crank")
        >>> before = crank.r.copy()  # crank.r is a view: it shows every later tick
        >>> simulation.step(100)
        >>> bool((crank.r != before).any())
        True
        """
        if name not in self.bodies:
            raise KeyError(f"{name!r} is not a body of {self.model}; its bodies are {', '.join(self.bodies)}")
        return body_of(self.state, self.bodies.index(name))

    @property
    def state_hash(self) -> str:
        """str : hash over everything that decides the next tick, 16 hex digits, as that of a session."""
        return self._native.state_hash

    def save(self) -> SavedState:
        """Returns everything that decides the next tick, as of the last tick: without inputs that were set since.

        The state can be copied and pickled. Processes of the same build can load it; another build refuses it
        (`SnapshotIncompatible`).

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> simulation.step(100)
        >>> saved = simulation.save()
        >>> saved.tick
        100
        """
        return self._native.save()

    def restore(self, saved: SavedState) -> None:
        """Continues from a saved state with the same bits, also in another simulation of the same model and settings.

        Raises
        ------
        SnapshotIncompatible
            If the state is one of another model or of other settings. Nothing has changed.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> saved = simulation.save()
        >>> ends = []
        >>> for torque in (0.5, 0.5):
        ...     simulation.restore(saved)
        ...     simulation.step(200, {"motor": torque})
        ...     ends.append(simulation.state_hash)
        >>> ends[0] == ends[1]
        True
        """
        if not isinstance(saved, _native.SavedState):
            raise check.wrong("saved", saved, "a state that save() returned")
        self._native.restore(saved)

    def reset(self) -> None:
        """Returns to tick 0, the initial state and the parameters of the construction; clears a fault.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> simulation.set_parameters(rocker_mass=2.0)
        >>> simulation.reset()
        >>> simulation.tick, simulation.parameters["rocker_mass"]
        (0, 0.6)
        """
        self._native.reset()
