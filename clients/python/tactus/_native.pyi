# The module that clients/python/native builds.
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

class SavedState:
    @property
    def tick(self) -> int: ...

class Simulation:
    def __init__(
        self,
        model: str,
        folder: str | None,
        period_ns: int,
        settings: list[tuple[str, float]],
        parameters: list[tuple[str, float]],
        initial_condition: str,
        threads: int,
    ) -> None: ...
    def set_inputs(self, actuators: list[int], values: npt.NDArray[np.float64]) -> None: ...
    def actuator(self, name: str) -> int: ...
    def inputs(self) -> list[float]: ...
    def step(self, ticks: int) -> int: ...
    def run(
        self, ticks: int, actuators: list[int], rows: npt.NDArray[np.float64], signals: list[int], every: int
    ) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.float64]]: ...
    def fault(self) -> str: ...
    @property
    def tick(self) -> int: ...
    @property
    def period_ns(self) -> int: ...
    @property
    def state(self) -> npt.NDArray[np.float64]: ...
    @property
    def state_hash(self) -> str: ...
    @property
    def model_hash(self) -> str: ...
    def model_name(self) -> str: ...
    def body_names(self) -> list[str]: ...
    def actuator_names(self) -> list[str]: ...
    def signals(self) -> list[tuple[str, str, str, bool, str, float, float]]: ...
    def settings(self) -> dict[str, float]: ...
    def select(self, patterns: list[str]) -> list[int]: ...
    def read(self, signals: list[int]) -> list[float]: ...
    def parameters(self) -> dict[str, float]: ...
    def set_parameters(self, values: list[tuple[str, float]]) -> None: ...
    def save(self) -> SavedState: ...
    def restore(self, saved: SavedState) -> None: ...
    def reset(self) -> None: ...
    def linearize(
        self, outputs: list[str], turning: tuple[float, float, float], inputs: list[str]
    ) -> LinearPoint: ...
    def pose(self) -> tuple[int, int, int, bool, list[float]]: ...
    def sensitivity(
        self,
        ticks: int,
        parameters: list[str],
        steps: list[float],
        sides: list[int],
        signals: list[str],
        inputs: npt.NDArray[np.float64],
        every: int,
    ) -> npt.NDArray[np.float64]: ...
    def parameter_side(self, name: str, step: float) -> int: ...
    def equilibrium(self, load_steps: int) -> EquilibriumPoint: ...
    def trim(self, required: list[tuple[str, float]], free: list[str], moving: bool) -> TrimPoint: ...

class LinearPoint:
    A: npt.NDArray[np.float64]
    B: npt.NDArray[np.float64]
    C: npt.NDArray[np.float64]
    D: npt.NDArray[np.float64]
    state: npt.NDArray[np.float64]
    rate: npt.NDArray[np.float64]
    output: npt.NDArray[np.float64]
    states: list[tuple[str, str]]
    inputs: list[str]
    outputs: list[str]
    output_units: list[str]
    coordinates: int
    redundant_rows: int
    unrest: float
    tick: int
    state_hash: str
    def modes(
        self,
    ) -> list[tuple[str, complex, float, float, npt.NDArray[np.complex128], npt.NDArray[np.complex128]]]: ...
    def response(self, omega: list[float]) -> npt.NDArray[np.complex128]: ...

class EquilibriumPoint:
    saved: SavedState
    residual: float
    violation: float
    freedoms: int
    redundant_rows: int
    indifferent: int
    unstable: int
    singular: bool

class TrimPoint:
    saved: SavedState
    inputs: list[float]
    out_of_range: list[str]
    residual: float
    iterations: int
    turning: tuple[float, float, float]

def build_info() -> tuple[str, str, str, str, str]: ...
def check(json: str, folder: str) -> list[tuple[str, int, str, str, str, str]]: ...
def model_content(model: str, folder: str | None) -> str: ...
def integrators() -> list[str]: ...
def offline(
    model: str,
    folder: str | None,
    method: str,
    settings: list[str],
    step_ns: int,
    until_ns: int,
    parameters: list[tuple[str, float]],
    initial_condition: str,
    rows: npt.NDArray[np.float64],
    signals: list[str],
    every: int,
    look: Callable[[], None] | None,
) -> tuple[str, list[tuple[str, str]], npt.NDArray[np.float64], npt.NDArray[np.float64], dict[str, float | str]]: ...
