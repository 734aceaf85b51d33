"""The linear system of a session, from the answer of the server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import RequestInvalid
from tactus.v1 import simulation_pb2

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]


def analyse_request(session: str, outputs: str | Iterable[str], turning: Sequence[float], inputs: str | Iterable[str],
                    modes: bool) -> simulation_pb2.AnalyseRequest:
    """The request.

    Raises
    ------
    ValueError
        If `turning` has not three components.
    """
    axes = [check.number("a component of turning", value) for value in turning]
    if len(axes) != 3:
        raise ValueError(f"turning={turning!r}: give x, y and z, rad/s")
    return simulation_pb2.AnalyseRequest(session=session, outputs=check.texts("outputs", outputs),
                                         inputs=check.texts("inputs", inputs), turning=axes, modes=modes, shapes=modes)


class RemotePoint:
    """The answer to a call of Analyse, in the form of a point of the module tactus._native."""

    def __init__(self, answer: simulation_pb2.AnalyseResponse, with_modes: bool) -> None:
        n, m, p = len(answer.states), len(answer.inputs), len(answer.outputs)
        self.A = np.array(answer.a, dtype=np.float64).reshape(n, n)
        self.B = np.array(answer.b, dtype=np.float64).reshape(n, m)
        self.C = np.array(answer.c, dtype=np.float64).reshape(p, n)
        self.D = np.array(answer.d, dtype=np.float64).reshape(p, m)
        self.state: Floats = np.array([one.value for one in answer.states], dtype=np.float64)
        self.rate: Floats = np.array([one.rate for one in answer.states], dtype=np.float64)
        self.output: Floats = np.array([one.value for one in answer.outputs], dtype=np.float64)
        self.states = [(one.name, one.unit) for one in answer.states]
        self.inputs = [one.name for one in answer.inputs]
        self.outputs = [one.name for one in answer.outputs]
        self.output_units = [one.unit for one in answer.outputs]
        self.coordinates = answer.coordinates
        self.redundant_rows = answer.redundant_rows
        self.unrest = answer.largest_rate
        self.tick = answer.tick
        self.state_hash = answer.state_hash
        self._modes = list(answer.modes) if with_modes else None

    def modes(self) -> list[tuple[str, complex, float, float, Complexes, Complexes]]:
        """The modes that the server found.

        Raises
        ------
        RequestInvalid
            If the call left them out.
        """
        if self._modes is None:
            raise RequestInvalid("the modes were left out of the answer", reason="REQUEST_INVALID",
                                 hint="call linearize with modes=True")

        def vector(real: Sequence[float], imaginary: Sequence[float]) -> Complexes:
            values = np.empty(len(real), dtype=np.complex128)
            values.real = np.asarray(real, dtype=np.float64)
            values.imag = np.asarray(imaginary, dtype=np.float64)
            return values

        return [(mode.kind, complex(mode.real, mode.imaginary), mode.omega, mode.damping,
                 vector(mode.shape_real, mode.shape_imaginary), vector(mode.state_real, mode.state_imaginary))
                for mode in self._modes]

    def response(self, omega: Sequence[float]) -> Complexes:
        """C (i omega - A)^-1 B + D for each angular frequency, rad/s."""
        values = np.empty((len(omega), *self.D.shape), dtype=np.complex128)
        for k, w in enumerate(omega):
            try:
                values[k] = self.C @ np.linalg.solve(1j * w * np.eye(len(self.A)) - self.A, self.B) + self.D
            except np.linalg.LinAlgError:  # an undamped eigenvalue
                values[k] = np.nan
        return values
