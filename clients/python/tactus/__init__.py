"""Client for the Tactus real-time multibody simulation server.

>>> import tactus
>>> with tactus.connect("127.0.0.1:50051") as client:
...     with client.create_session("motor_four_bar", clock="lockstep") as session:
...         session.start()
...         with session.tick(inputs=["motor"], outputs=["*"]) as stream:
...             frame = stream.step({"motor": 1.0})
...             print(frame.tick, frame.values)

In lockstep each input is one tick. A call that the server refuses raises a `TactusError` with a machine-readable
``reason``, the offending ``field`` and a ``hint``. Quantities are in SI units and radians.
"""

import importlib.metadata

from tactus.client import Client, connect
from tactus.errors import (
    BestEffortWarning,
    DeadlineExceeded,
    Draining,
    EnergyGrowthWarning,
    LayoutMismatch,
    LeaseHeld,
    LeaseLost,
    LimitExceeded,
    ModelInvalid,
    ModelUnknown,
    NotFinite,
    RecordingExists,
    ParameterUnknown,
    RecordingUnknown,
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
from tactus.observation import Observation
from tactus.recorder import Recorder
from tactus.session import Session
from tactus.tick_stream import TickStream

__all__ = [
    "BestEffortWarning",
    "Client",
    "DeadlineExceeded",
    "Draining",
    "EnergyGrowthWarning",
    "Flag",
    "Frame",
    "InputMode",
    "Layout",
    "LayoutMismatch",
    "LeaseHeld",
    "LeaseLost",
    "LimitExceeded",
    "ModelInvalid",
    "ModelUnknown",
    "NotFinite",
    "Observation",
    "Recorder",
    "RecordingExists",
    "ParameterUnknown",
    "RecordingUnknown",
    "RequestInvalid",
    "SafeStateWarning",
    "Session",
    "SessionDeleted",
    "SessionExists",
    "SessionFaulted",
    "SessionStateError",
    "SessionStopped",
    "SessionUnknown",
    "SignalUnknown",
    "SnapshotIncompatible",
    "TactusError",
    "TickInPast",
    "TickStream",
    "TickTooFar",
    "Unreachable",
    "ValueOutOfRange",
    "connect",
]

try:
    __version__ = importlib.metadata.version("tactus")
except importlib.metadata.PackageNotFoundError:  # imported from a build tree
    __version__ = "not installed"
