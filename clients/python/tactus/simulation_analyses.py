"""The analyses of the present state of a `Simulation`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tactus import check
from tactus.analysis import Equilibrium, LinearSystem, Pose, Trim, equilibrium_of, trim_of

if TYPE_CHECKING:
    from tactus import _native


class Analyses:
    """The part of `Simulation` that analyzes its present state."""

    _native: _native.Simulation
    inputs: list[str]

    def linearize(self, outputs: str | Iterable[str] = (),
                  turning: Sequence[float] = (0.0, 0.0, 0.0), inputs: str | Iterable[str] = ()) -> LinearSystem:
        """The linear system about the present state, with the present inputs and parameters.

        Parameters
        ----------
        outputs : iterable of str
            Names or globs of signals. Default: the sensors of the model.
        turning : sequence of float
            Rate at which the axes of the states of bodies turn, rad/s, world axes. With `Trim.turning` the system of a steady
            turn is constant, so that it has modes. Default: they keep still.
        inputs : iterable of str
            Names or globs of actuators. Default: all.

        Raises
        ------
        ValueError
            If `turning` has not three components.
        SignalUnknown, NotFinite, RequestInvalid
            RequestInvalid: an input is no actuator.
        AnalysisFailed
            In a singular pose.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> simulation.restore(simulation.equilibrium().saved)
        >>> system = simulation.linearize(outputs=["crank_angle"])
        >>> system.states, system.A.shape, system.B.shape, system.is_equilibrium
        (['input.angle', 'input.rate'], (2, 2), (2, 1), True)
        """
        axes = check.array("turning", turning)
        if axes.shape != (3,):
            raise ValueError(f"turning={turning!r} has the shape {axes.shape}; give three numbers, world axes")
        x, y, z = axes.tolist()
        chosen, actuators = check.texts("outputs", outputs), check.texts("inputs", inputs)
        return LinearSystem(self._native.linearize(chosen, (x, y, z), actuators))

    def pose(self) -> Pose:
        """The rank of the constraints in the present pose: redundant rows, free motions, how far a singular pose is.

        Along a path: ``simulation.run(n, inputs=lambda now: poses.append(now.pose()), hold=10)``.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> margins = []
        >>> block = simulation.run(100, inputs=lambda now: margins.append(now.pose().margin), hold=10)
        >>> len(margins), min(margins) > 0.01  # far from a singular pose
        (10, True)
        """
        rows, rank, freedoms, singular, values = self._native.pose()
        margin = values[rank - 1] / values[0] if rank else 1.0
        return Pose(rows, rank, freedoms, singular, margin)

    def equilibrium(self, load_steps: int = 1) -> Equilibrium:
        """The static equilibrium near the present pose, with the present inputs; the simulation stays where it is.

        Parameters
        ----------
        load_steps : int
            Steps in which weight, forces and torques are raised; large rotations of beams need 10 to 20.

        Raises
        ------
        AnalysisFailed
            If there is none that the load steps lead to.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> rest = simulation.equilibrium()
        >>> rest.unstable, rest.redundant_rows
        (0, 3)
        >>> simulation.restore(rest.saved)  # goes there
        """
        return equilibrium_of(self._native.equilibrium(check.count("load_steps", load_steps, check.MOST_32)))

    def trim(self, require: Mapping[str, float], free: Iterable[str] = (), moving: bool = False) -> Trim:
        """Inputs and a state at which signals have given values and the motion is steady; the simulation stays where it is.

        Parameters
        ----------
        require : dict of str to float
            Values of signals, SI units.
        free : iterable of str
            Actuators that may change.
        moving : bool
            The mechanism may go on at constant speed along a plane road, turn steadily, and spin its wheels; heights and
            attitudes keep still. The present state is to rest on its road. Default: the mechanism stays at rest.

        Raises
        ------
        SignalUnknown, NotFinite
        AnalysisFailed
            If there is no solution near the present state, or if the surroundings change along the motion: a bump, a wind.

        Examples
        --------
        >>> simulation = tactus.Simulation("motor_four_bar")
        >>> trim = simulation.trim({"crank_angle": 0.5}, free=["motor"])
        >>> simulation.restore(trim.saved)
        >>> round(simulation["crank_angle"], 6), trim.out_of_range
        (0.5, ())
        """
        wanted = list(check.numbers("require", require).items())
        return trim_of(self._native.trim(wanted, check.texts("free", free), moving), self.inputs)
