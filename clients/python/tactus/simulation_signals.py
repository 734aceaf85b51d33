"""The signals, settings and parameters of a `Simulation`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tactus import check
from tactus.simulation_parts import Signal

if TYPE_CHECKING:
    from tactus import _native


class SimulationSignals:
    """The part of `Simulation` with its signals, settings and parameters."""

    _native: _native.Simulation
    _signals: list[Signal]
    units: dict[str, str]

    def signals(self, *patterns: str) -> list[Signal]:
        """The directory of signals.

        Parameters
        ----------
        *patterns : str
            Names or globs. Default: all signals.

        Raises
        ------
        SignalUnknown

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> [(signal.name, signal.unit) for signal in simulation.signals("motor", "crank_rate")]
        [('motor', 'N m'), ('crank_rate', 'rad/s')]
        """
        return [self._signals[i] for i in self._native.select(check.texts("patterns", patterns) or ["*"])]

    def read(self, *patterns: str) -> dict[str, float]:
        """Values of signals after the last tick, by name, in SI units. Default: all signals.

        Raises
        ------
        SignalUnknown

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> sorted(simulation.read("crank.v.*", "motor"))
        ['crank.v.x', 'crank.v.y', 'crank.v.z', 'motor']
        """
        selected = self._native.select(check.texts("patterns", patterns) or ["*"])
        return {self._signals[i].name: value for i, value in zip(selected, self._native.read(selected))}

    def __contains__(self, name: object) -> bool:
        return name in self.units

    def __getitem__(self, name: str) -> float:
        selected = self._native.select([check.text("the name of a signal", name)])
        if len(selected) != 1:
            raise ValueError(f"{name!r} names {len(selected)} signals; use read({name!r})")
        return self._native.read(selected)[0]

    @property
    def settings(self) -> dict[str, float]:
        """dict of str to float or bool : settings of the solver."""
        return self._native.settings()

    @property
    def parameters(self) -> dict[str, float]:
        """dict of str to float : parameters of the model with their current values."""
        return self._native.parameters()

    def set_parameters(self, values: Mapping[str, float] | None = None, **named: float) -> None:
        """Sets parameters together for all further ticks. If one value is refused, none is set.

        Parameters
        ----------
        values : dict of str to float, optional
            Values by name, each in the unit of its parameter.
        **named : float
            Further values as keywords.

        Raises
        ------
        ParameterUnknown, NotFinite, ValueOutOfRange, ModelInvalid

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> simulation.set_parameters(rocker_mass=2.0)
        >>> simulation.parameters["rocker_mass"]
        2.0
        """
        self._native.set_parameters(list({**check.numbers("values", values), **check.numbers("parameters", named)}.items()))
