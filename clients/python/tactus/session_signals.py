"""What a session shows of its newest tick: signals, roads, timing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt

from tactus import check
from tactus.errors import SignalUnknown
from tactus.frame import Frame, Layout
from tactus.road_surface import RoadSurface, road_request, road_surface
from tactus.v1 import simulation_pb2, state_pb2

if TYPE_CHECKING:
    from tactus.client import Client


class SessionSignals:
    """The part of `Session` that reads its newest tick."""

    name: str
    _client: Client
    _units: dict[str, str] | None
    _units_of_outputs: dict[tuple[str, ...], dict[str, str]]

    @property
    def units(self) -> dict[str, str]:
        """dict of str to str : unit of each signal."""
        if self._units is None:
            self._units = {signal.name: signal.unit for signal in self.signals()}
        return self._units

    def _units_of(self, outputs: tuple[str, ...]) -> dict[str, str]:
        """Units of some signals at least; the directory of a large model does not fit into an answer."""
        if self._units is not None:
            return self._units
        if outputs not in self._units_of_outputs:
            self._units_of_outputs[outputs] = {signal.name: signal.unit for signal in self.signals(*outputs)}
        return self._units_of_outputs[outputs]

    def signals(self, *patterns: str) -> list[state_pb2.Signal]:
        """Returns the directory of signals as a list of ``tactus.v1.Signal``.

        Parameters
        ----------
        *patterns : str
            Names or globs. Default: all signals.

        Raises
        ------
        SignalUnknown

        Examples
        --------
        >>> for signal in session.signals("motor", "crank_rate"):
        ...     print(signal.name, signal.unit)
        motor N m
        crank_rate rad/s
        """
        request = simulation_pb2.ListSignalsRequest(session=self.name, patterns=check.texts("patterns", patterns))
        response = self._client.call("ListSignals", request)
        return list(response.signals)

    def read(self, *patterns: str) -> Frame:
        """Returns the newest values of some signals.

        Parameters
        ----------
        *patterns : str
            Names or globs. Default: all signals.

        Returns
        -------
        Frame

        Raises
        ------
        SignalUnknown

        Examples
        --------
        >>> frame = session.read("crank.v.*", "motor")
        >>> print(frame.tick, sorted(frame.to_dict()))
        0 ['crank.v.x', 'crank.v.y', 'crank.v.z', 'motor']
        """
        request = simulation_pb2.ReadSignalsRequest(session=self.name, patterns=check.texts("patterns", patterns) or ["*"])
        response = self._client.call("ReadSignals", request)
        return Frame(response.frame, Layout(response.layout))

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and any(signal.name == name for signal in self.signals(name))
        except (SignalUnknown, ValueError):
            return False

    def __getitem__(self, name: str) -> float:
        frame = self.read(check.text("the name of a signal", name))
        if len(frame.layout) != 1:
            raise ValueError(f"{name!r} names {len(frame.layout)} signals; use read({name!r})")
        return frame[frame.layout.names[0]]

    def road(self, points: npt.ArrayLike, road: str = "") -> RoadSurface:
        """Returns the surface of a road under points: for pictures of the ground that the tyres roll on.

        Parameters
        ----------
        points : array_like, shape (n, 3)
            World frame, m; at most 10 000. Their height does not count.
        road : str
            Name of the road. Default: the only one of the model.

        Returns
        -------
        tactus.road_surface.RoadSurface
            Points on the surface, normals, heights and frictions as arrays.

        Raises
        ------
        RequestInvalid
            If there is no such road, or too many points.

        Examples
        --------
        >>> with client.create_session("hmmwv", clock="lockstep") as car:
        ...     surface = car.road([[0, 0, 0], [5, 0, 0]])
        ...     print(surface.heights.shape, surface.normals[0].round(3))
        (2,) [0. 0. 1.]
        """
        return road_surface(self._client.call("QueryRoad", road_request(self.name, points, road)))

    def timing(self, reset: bool = False) -> state_pb2.TimingReport:
        """Returns the timing report as ``tactus.v1.TimingReport``. With `reset`, all counts then start at zero.

        Examples
        --------
        >>> stepped = session.step(100)
        >>> report = session.timing()
        >>> print(report.ticks)
        100
        """
        request = simulation_pb2.GetTimingReportRequest(session=self.name, reset=bool(reset))
        report: state_pb2.TimingReport = self._client.call("GetTimingReport", request)
        return report
