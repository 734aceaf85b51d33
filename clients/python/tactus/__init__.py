"""Tactus, real-time multibody simulation: a client for its server, and its tick in this process.

>>> import tactus
>>> with tactus.connect("127.0.0.1:50051") as client:
...     with client.create_session("motor_four_bar", clock="lockstep") as session:
...         with session.tick(inputs=["motor"], outputs=["*"]) as stream:
...             frame = stream.step({"motor": 1.0})
...             print(frame.tick, frame["motor"])
1 1.0

In lockstep each input is one tick. A call that the server refuses raises a `TactusError` with a machine-readable
``reason``, the offending ``field`` and a ``hint``. `Simulation` needs no server and gives the same bits. Quantities
are in SI units and radians.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import TYPE_CHECKING, Any

from tactus.block import Block
from tactus.errors import (
    AnalysisFailed,
    BestEffortWarning,
    DeadlineExceeded,
    Draining,
    EnergyGrowthWarning,
    Finding,
    LayoutMismatch,
    LeaseHeld,
    LeaseLost,
    LimitExceeded,
    MixedBuildsWarning,
    ModelInvalid,
    ModelReplacedWarning,
    ModelUnknown,
    NotAuthenticated,
    NotFinite,
    NotPermitted,
    ParameterUnknown,
    RecordingExists,
    RecordingFolderUnusable,
    RecordingUnknown,
    RecordingWarning,
    RequestInvalid,
    SafeStateWarning,
    SessionDeleted,
    SessionExists,
    SessionFaulted,
    SessionStateError,
    SessionStopped,
    SessionUnknown,
    SignalUnknown,
    SnapshotIncompatible,
    TactusError,
    TickInPast,
    TickTooFar,
    Unreachable,
    ValueOutOfRange,
)
from tactus.frame import Flag, Frame, InputMode, Layout
from tactus.recorder import Recorder

if TYPE_CHECKING:
    from tactus import aio as aio
    from tactus import build as build
    from tactus.analysis import Equilibrium as Equilibrium
    from tactus.analysis import LinearSystem as LinearSystem
    from tactus.analysis import Mode as Mode
    from tactus.analysis import Pose as Pose
    from tactus.analysis import Trim as Trim
    from tactus.builds import BuildInfo as BuildInfo
    from tactus.builds import build_info as build_info
    from tactus.client import Client as Client
    from tactus.connection import connect as connect
    from tactus.observation import Observation as Observation
    from tactus.offline_run import Trajectory as Trajectory
    from tactus.offline_run import integrators as integrators
    from tactus.offline_run import offline as offline
    from tactus.prescribed_motion import PrescribedMotion as PrescribedMotion
    from tactus.prescribed_motion import prescribe as prescribe
    from tactus.recording import Recording as Recording
    from tactus.recording import read_recording as read_recording
    from tactus.rollouts import Rollout as Rollout
    from tactus.rollouts import rollout as rollout
    from tactus.sensitivities import Sensitivity as Sensitivity
    from tactus.sensitivities import sensitivity as sensitivity
    from tactus.session import Session as Session
    from tactus.session_search import FoundEquilibrium as FoundEquilibrium
    from tactus.session_search import FoundTrim as FoundTrim
    from tactus.simulation import Simulation as Simulation
    from tactus.sweep_run import SweepResult as SweepResult
    from tactus.sweep_run import sweep as sweep
    from tactus.tick_stream import TickStream as TickStream
    from tactus.vector_environment import VectorEnvironment as VectorEnvironment

# Imported when they are first used: the client needs gRPC, a simulation needs the module tactus._native.
_MODULES = {
    "BuildInfo": "tactus.builds",
    "Client": "tactus.client",
    "Equilibrium": "tactus.analysis",
    "FoundEquilibrium": "tactus.session_search",
    "FoundTrim": "tactus.session_search",
    "LinearSystem": "tactus.analysis",
    "Mode": "tactus.analysis",
    "Observation": "tactus.observation",
    "Pose": "tactus.analysis",
    "PrescribedMotion": "tactus.prescribed_motion",
    "Recording": "tactus.recording",
    "Rollout": "tactus.rollouts",
    "Sensitivity": "tactus.sensitivities",
    "Session": "tactus.session",
    "Simulation": "tactus.simulation",
    "SweepResult": "tactus.sweep_run",
    "TickStream": "tactus.tick_stream",
    "Trajectory": "tactus.offline_run",
    "Trim": "tactus.analysis",
    "VectorEnvironment": "tactus.vector_environment",
    "build_info": "tactus.builds",
    "connect": "tactus.connection",
    "integrators": "tactus.offline_run",
    "offline": "tactus.offline_run",
    "prescribe": "tactus.prescribed_motion",
    "read_recording": "tactus.recording",
    "rollout": "tactus.rollouts",
    "sensitivity": "tactus.sensitivities",
    "sweep": "tactus.sweep_run",
}

__all__ = [
    "AnalysisFailed",
    "BestEffortWarning",
    "Block",
    "BuildInfo",
    "Client",
    "DeadlineExceeded",
    "Draining",
    "Equilibrium",
    "EnergyGrowthWarning",
    "Finding",
    "Flag",
    "FoundEquilibrium",
    "FoundTrim",
    "Frame",
    "InputMode",
    "Layout",
    "LayoutMismatch",
    "LeaseHeld",
    "LeaseLost",
    "LimitExceeded",
    "LinearSystem",
    "MixedBuildsWarning",
    "Mode",
    "ModelInvalid",
    "ModelReplacedWarning",
    "ModelUnknown",
    "NotAuthenticated",
    "NotFinite",
    "NotPermitted",
    "Observation",
    "ParameterUnknown",
    "Pose",
    "PrescribedMotion",
    "Recorder",
    "Recording",
    "RecordingExists",
    "RecordingFolderUnusable",
    "RecordingUnknown",
    "RecordingWarning",
    "RequestInvalid",
    "Rollout",
    "SafeStateWarning",
    "Sensitivity",
    "Session",
    "SessionDeleted",
    "SessionExists",
    "SessionFaulted",
    "SessionStateError",
    "SessionStopped",
    "SessionUnknown",
    "SignalUnknown",
    "Simulation",
    "SnapshotIncompatible",
    "SweepResult",
    "TactusError",
    "TickInPast",
    "TickStream",
    "TickTooFar",
    "Trajectory",
    "Trim",
    "Unreachable",
    "ValueOutOfRange",
    "VectorEnvironment",
    "aio",
    "build",
    "build_info",
    "connect",
    "integrators",
    "offline",
    "prescribe",
    "read_recording",
    "rollout",
    "sensitivity",
    "sweep",
]

try:
    __version__ = importlib.metadata.version("tactus")
except importlib.metadata.PackageNotFoundError:  # imported from a build tree
    __version__ = "not installed"


def __getattr__(name: str) -> Any:
    if name in ("aio", "build"):
        return importlib.import_module(f"tactus.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'tactus' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, "aio", "build"})
