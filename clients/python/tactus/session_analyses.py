"""The analyses of the newest tick of a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tactus.analysis import LinearSystem
from tactus.session_analysis import RemotePoint, analyse_request
from tactus.session_search import FoundEquilibrium, FoundTrim, add_trim, found_equilibrium, found_trim, search_request
from tactus.units import Duration

if TYPE_CHECKING:
    from tactus.client import Client


class SessionAnalyses:
    """The part of `Session` that analyzes its newest tick. The server analyzes a copy: no tick waits, and none changes."""

    name: str
    _client: Client

    def linearize(
        self,
        outputs: str | Iterable[str] = (),
        turning: Sequence[float] = (0.0, 0.0, 0.0),
        inputs: str | Iterable[str] = (),
        modes: bool = False,
        timeout: Duration = 60.0,
    ) -> LinearSystem:
        """The linear system about the newest tick, with its inputs and the parameters of the next one.

        The server analyzes a copy: the session may run, and no tick waits. The matrices and modes are those of
        `Simulation.linearize` in the same state, bit for bit; `LinearSystem.response` is computed here, by NumPy, and differs
        from that of `Simulation` by round-off.

        Parameters
        ----------
        outputs : iterable of str
            Names or globs of signals. Default: the sensors of the model.
        turning : sequence of float
            Rate at which the axes of the states of bodies turn, rad/s, world axes, as `Simulation.linearize` has it.
        inputs : iterable of str
            Names or globs of actuators. Default: all.
        modes : bool
            Have the server find the modes as well, for `LinearSystem.modes`. Their shapes are most of a large answer.
            Default: there are none.
        timeout : str, timedelta or float
            Deadline of the call: ``"10s"``, or seconds as a float.

        Returns
        -------
        LinearSystem
            Its `tick` and `state_hash` say of which state it is.

        Raises
        ------
        SignalUnknown, NotFinite, RequestInvalid
            RequestInvalid: an input is no actuator.
        AnalysisFailed
            In a singular pose.
        LimitExceeded
            If the model or the answer is too large, or the server does other analyses.

        Examples
        --------
        >>> import tactus
        >>> with tactus.connect("127.0.0.1:50051") as client:
        ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
        ...         system = session.linearize(outputs=["crank_angle"], modes=True)
        ...         system.states, system.A.shape, [mode.kind for mode in system.modes()]
        (['input.angle', 'input.rate'], (2, 2), ['growth', 'decay'])
        """
        request = analyse_request(self.name, outputs, turning, inputs, modes)
        return LinearSystem(RemotePoint(self._client.call("Analyse", request, timeout=timeout), modes))

    def equilibrium(
        self,
        load_steps: int = 1,
        inputs: Mapping[str, float] | None = None,
        outputs: str | Iterable[str] = (),
        linearize: bool = False,
        modes: bool = False,
        timeout: Duration = 60.0,
    ) -> FoundEquilibrium:
        """The static equilibrium near the pose of the newest tick, with its inputs; the session stays where it is.

        The numbers are those of `Simulation.equilibrium` in the same state, bit for bit.

        Parameters
        ----------
        load_steps : int
            Steps in which weight, forces and torques are raised; large rotations of beams need 10 to 20.
        inputs : dict of str to float, optional
            Actuators that have other values than in the tick.
        outputs : iterable of str
            Names or globs of signals. Default: the sensors of the model.
        linearize, modes : bool
            Find the linear system there, too, `FoundState.system`; with its modes.
        timeout : str, timedelta or float
            Deadline of the call: ``"10s"``, or seconds as a float.

        Raises
        ------
        AnalysisFailed
            If there is none that the load steps lead to.
        SignalUnknown, RequestInvalid, ValueOutOfRange, NotFinite
        LimitExceeded
            If the model or the answer is too large, the search takes too long, or the server does other analyses.

        Examples
        --------
        >>> import tactus
        >>> with tactus.connect("127.0.0.1:50051") as client:
        ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
        ...         found = session.equilibrium(modes=True)
        ...         found.unstable, [mode.kind for mode in found.system.modes()]
        (0, ['oscillation'])
        """
        request = search_request(self.name, outputs, inputs, linearize, modes, load_steps)
        return found_equilibrium(self._client.call("Analyse", request, timeout=timeout), request)

    def trim(
        self,
        require: Mapping[str, float],
        free: str | Iterable[str] = (),
        moving: bool = False,
        inputs: Mapping[str, float] | None = None,
        outputs: str | Iterable[str] = (),
        equilibrium: bool = False,
        load_steps: int = 1,
        linearize: bool = False,
        modes: bool = False,
        timeout: Duration = 60.0,
    ) -> FoundTrim:
        """Inputs and a state near the newest tick at which signals have given values and the motion is steady; the session
        stays where it is.

        The numbers are those of `Simulation.trim` in the same state, bit for bit.

        Parameters
        ----------
        require : dict of str to float
            Values of signals, SI units.
        free : iterable of str
            Actuators that may change.
        moving : bool
            The mechanism may move along a plane road, turn steadily and spin its wheels. Default: it stays at rest.
        inputs : dict of str to float, optional
            Actuators that have other values than in the tick.
        outputs : iterable of str
            Names or globs of further signals. Default: the sensors of the model.
        equilibrium : bool
            Find the static equilibrium first, in `load_steps`, and begin there.
        linearize, modes : bool
            Find the linear system there, too, `FoundState.system`, in axes that turn with the mechanism; with its modes.
        timeout : str, timedelta or float
            Deadline of the call: ``"10s"``, or seconds as a float.

        Raises
        ------
        AnalysisFailed
            If there is none near the tick.
        SignalUnknown, RequestInvalid, ValueOutOfRange, NotFinite
        LimitExceeded
            If the model or the answer is too large, the search takes too long, or the server does other analyses.

        Examples
        --------
        >>> import tactus
        >>> with tactus.connect("127.0.0.1:50051") as client:
        ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
        ...         trim = session.trim({"crank_angle": 0.0}, free=["motor"])
        ...         sorted(trim.inputs), abs(trim.signals["crank_angle"]) < 1e-6
        (['motor'], True)
        """
        request = search_request(self.name, outputs, inputs, linearize, modes, load_steps if equilibrium else None)
        add_trim(request, require, free, moving)
        return found_trim(self._client.call("Analyse", request, timeout=timeout), request)
