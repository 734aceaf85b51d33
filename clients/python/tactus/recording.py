"""The reader of recordings: MCAP files of ``tactus run``, ``tactus recording`` and `Session.record`, without a server.

A file describes its messages itself, in protobuf: nothing of it is known here but its layout (https://mcap.dev/spec) and the
names of its channels (``proto/tactus/v1/recording.proto``).
"""

from __future__ import annotations

import io
import math
import operator
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.message import DecodeError

from tactus import check
from tactus.block import Block, dataframe

if TYPE_CHECKING:
    import pandas

_MAGIC = b"\x89MCAP0\r\n"
_SCHEMA, _CHANNEL, _MESSAGE, _CHUNK, _METADATA, _DATA_END = 0x03, 0x04, 0x05, 0x06, 0x0C, 0x0F
# No record of a recording is longer; a longer one is damage.
_LONGEST = 1 << 30


class _Damaged(Exception):
    """The file ends within a record, or a chunk does not match its checksum."""


class _Channel(NamedTuple):
    topic: str
    parse: Callable[[bytes], Any]
    row: Callable[[Any], tuple[float, ...]]
    names: tuple[str, ...]  # by field of the message, as it is in JSON
    units: dict[str, str]


class Recording:
    """A recording, made by `read_recording`.

    Attributes
    ----------
    setup : message
        ``tactus.v1.RecordingSetup``: build, model, settings, how the session was created.
    inputs, signals : Block
        The inputs of each tick (NaN before the first known ones), and the recorded signals, with their units.
    ticks : dict of str to numpy.ndarray, shape (ticks,)
        ``tick``, ``flags`` (see `Flag`), ``input_sequence`` as int64 and ``state_hash`` as uint64.
    gaps : list of (int, int)
        First tick and number of the ticks that are missing.
    parameters : list of (int, dict of str to float)
        The first tick that used values which a client set, and the values of all parameters. Not among them: values in
        force before the recording began, and those that a reset or a restored snapshot brings.
    damage : str
        Why the reader stopped before the end of the file, or why the recording ended early; empty if the recording is complete.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         name = session.record("crank_angle").name
    ...         block = session.run(100, inputs={"motor": 1.0})
    ...         stopped = client.stop_recording(name)
    ...     size = client.download_recording(name, "run.mcap")
    >>> recording = tactus.read_recording("run.mcap")
    >>> recording.inputs["motor"][-1], recording.signals.ticks[-1], recording.damage
    (1.0, 100, '')
    """

    def __init__(
        self,
        setup: Any,
        inputs: Block,
        signals: Block,
        ticks: dict[str, npt.NDArray[np.generic]],
        gaps: list[tuple[int, int]],
        parameters: list[tuple[int, dict[str, float]]],
        damage: str,
        signal_rows: npt.NDArray[np.int64],
    ) -> None:
        self.setup = setup
        self.inputs = inputs
        self.signals = signals
        self.ticks = ticks
        self.gaps = gaps
        self.parameters = parameters
        self.damage = damage
        self._signal_rows = signal_rows

    def __getstate__(self) -> dict[str, Any]:
        # The class of the message is made from the file: no other process finds it by its name.
        kind = self.setup.DESCRIPTOR
        return self.__dict__ | {"setup": (kind.full_name, _description(kind.file), self.setup.SerializeToString())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        name, description, setup = state["setup"]
        self.__dict__.update(state, setup=_message_class(name, description).FromString(setup))

    @property
    def model(self) -> dict[str, Any]:
        """dict : the model, in the form of a JSON model file."""
        model: dict[str, Any] = json_format.MessageToDict(self.setup.model, preserving_proto_field_name=True)
        return model

    @property
    def period(self) -> float:
        """float : period of a tick, s."""
        return float(self.setup.settings.period_ns) * 1e-9

    def to_dataframe(self) -> pandas.DataFrame:
        """Signals and inputs as a ``pandas.DataFrame`` over the simulated time, s; ``attrs["units"]`` has the units.

        A row for each tick with recorded signals; for each tick if none were recorded.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> import subprocess  # a recording of `tactus run`, without a server
        >>> run = ["tactus", "run", "motor_four_bar", "--until", "20ms", "--out", "short.mcap"]
        >>> ran = subprocess.run(run, stdout=subprocess.DEVNULL)
        >>> frame = tactus.read_recording("short.mcap").to_dataframe()
        >>> len(frame), frame.attrs["units"]["crank_angle"]
        (21, 'rad')
        """
        rows = self._signal_rows if self.signals.names else np.arange(len(self.inputs))
        columns: dict[str, npt.NDArray[np.generic]] = {"tick": self.inputs.ticks[rows]}
        columns.update((name, self.signals[name]) for name in self.signals.names)
        columns.update((name, self.inputs[name][rows]) for name in self.inputs.names if name not in self.signals)
        return dataframe(self.inputs.sim_time[rows], columns, {**self.inputs.units, **self.signals.units})

    def __repr__(self) -> str:
        count = len(self.ticks["tick"])
        return f"<Recording of {self.setup.model.name}: ticks={count} signals={len(self.signals.names)}>"


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording. What a damaged or unfinished file has before the damage is read.

    Parameters
    ----------
    path : str or os.PathLike
        An MCAP file of Tactus.

    Returns
    -------
    Recording

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no recording of Tactus.

    Examples
    --------
    >>> import tactus
    >>> recording = tactus.read_recording("run.mcap")
    >>> recording.signals["crank_angle"].shape, recording.signals.units["crank_angle"]
    ((101,), 'rad')
    """
    found: dict[str, list[Any]] = {}
    channels: dict[str, _Channel] = {}
    damage = ""
    input_rows: list[int] = []  # for each tick the message with its inputs
    signal_rows: list[int] = []  # for each message of signals its tick
    with open(check.path("path", path), "rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"{os.fspath(path)}: no MCAP file; give a recording of Tactus")
        try:
            for channel, message in _messages(file):
                channels[channel.topic] = channel
                if channel.topic in ("/inputs", "/signals"):
                    message = channel.row(message)
                found.setdefault(channel.topic, []).append(message)
                if channel.topic == "/tick":  # it follows all other messages about its tick
                    input_rows.append(len(found.get("/inputs", [])) - 1)
                    if len(found.get("/signals", [])) > len(signal_rows):
                        signal_rows.append(len(input_rows) - 1)
        except _Damaged as error:
            damage = str(error)
        except (struct.error, KeyError, UnicodeDecodeError, DecodeError, TypeError):
            damage = "a record cannot be read; the file is damaged"
    if "/setup" not in found:
        why = f" that can be read: {damage}" if damage else ""
        raise ValueError(f"{os.fspath(path)}: no recording of Tactus: it has no message in /setup{why}")
    setup = found["/setup"][0]
    recorded = found.get("/tick", [])
    ticks: dict[str, npt.NDArray[np.generic]] = {
        name: np.array([getattr(tick, name) for tick in recorded], dtype=np.uint64 if name == "state_hash" else np.int64)
        for name in ("tick", "flags", "input_sequence", "state_hash")
    }

    period_ns = setup.settings.period_ns

    def block(topic: str, rows: npt.NDArray[np.int64], of_ticks: npt.NDArray[np.int64]) -> Block:
        names = channels[topic].names if topic in channels else ()
        messages = [*found.get(topic, []), (math.nan,) * len(names)]  # the last one stands for a row of -1
        table = np.array(messages, dtype=np.float64).reshape(len(messages), len(names))
        numbers = ticks["tick"].astype(np.int64)[of_ticks]
        return Block(names, numbers, numbers * period_ns * 1e-9, table[rows], channels[topic].units if names else {})

    rows_of_signals = np.array(signal_rows, dtype=np.int64)
    inputs = block("/inputs", np.array(input_rows, dtype=np.int64), np.arange(len(recorded)))
    signals = block("/signals", np.arange(len(signal_rows)), rows_of_signals)
    gaps = [(gap.first_tick, gap.ticks) for gap in found.get("/gap", [])]
    sets = [(entry.tick, {value.name: value.value for value in entry.values}) for entry in found.get("/parameters", [])]
    return Recording(setup, inputs, signals, ticks, gaps, sets, damage, rows_of_signals)


def _row_of(fields: list[str]) -> Callable[[Any], tuple[float, ...]]:
    """What reads some fields of a message; `operator.attrgetter` gives no tuple for one field."""
    if len(fields) == 1:
        return lambda message: (getattr(message, fields[0]),)
    if not fields:
        return lambda message: ()
    return operator.attrgetter(*fields)


def _messages(file: BinaryIO) -> Iterator[tuple[_Channel, Any]]:
    """All messages with their channels, up to the end of the data."""
    schemas: dict[int, tuple[str, bytes]] = {}
    channels: dict[int, _Channel] = {}
    checksum = zlib.crc32(_MAGIC)
    chunks = [file]
    ended_early = ""
    while chunks:
        record = _record(chunks[-1])
        if record is None:
            if len(chunks) == 1:
                raise _Damaged("the file has no end; the recording was not finished")
            chunks.pop()
            continue
        outer = record if len(chunks) == 1 else b""
        opcode, content = record[0], record[9:]
        cursor = _Cursor(content)
        if opcode == _SCHEMA:
            number, name, _ = cursor.number("H"), cursor.text(), cursor.text()
            schemas[number] = (name, cursor.block())
        elif opcode == _CHANNEL:
            number, schema, topic, _ = cursor.number("H"), cursor.number("H"), cursor.text(), cursor.text()
            channels[number] = _channel(topic, *schemas[schema], cursor.table())
        elif opcode == _MESSAGE:
            channel = channels[cursor.number("H")]
            yield channel, channel.parse(content[22:])  # after channel, sequence and two times
        elif opcode == _CHUNK:
            chunks.append(io.BytesIO(_chunk(cursor)))
        elif opcode == _METADATA:
            if cursor.text() == "tactus_end":
                ended_early = cursor.table().get("ended_early", "")
        elif opcode == _DATA_END:
            if cursor.number("I") not in (0, checksum):
                raise _Damaged("the file does not match its checksum; it is damaged")
            if ended_early:
                raise _Damaged(f"the recording has ended early: {ended_early}")
            file.seek(-len(_MAGIC), io.SEEK_END)
            if file.tell() < len(_MAGIC) or file.read() != _MAGIC:
                raise _Damaged("the file ends in the middle of its summary")
            return
        if record is outer:
            checksum = zlib.crc32(record, checksum)


def _record(file: BinaryIO) -> bytes | None:
    """The next record of a file or of a chunk: opcode, length, content. None at its end."""
    head = file.read(9)
    if not head:
        return None
    length = struct.unpack_from("<Q", head, 1)[0] if len(head) == 9 else _LONGEST
    content = file.read(length) if length < _LONGEST else b""
    if len(content) != length:
        raise _Damaged("the file ends within a record; the recording was not finished, or it is damaged")
    return head + content


def _chunk(cursor: _Cursor) -> bytes:
    """The records of a chunk."""
    cursor.skip(24)
    checksum, compression = cursor.number("I"), cursor.text()
    cursor.skip(8)
    records = cursor.rest()
    if compression:
        raise ValueError(f"a chunk is compressed with {compression}; Tactus writes none that are")
    if checksum and zlib.crc32(records) != checksum:
        raise _Damaged("a chunk does not match its checksum; the file is damaged")
    return records


def _message_class(name: str, description: bytes) -> Any:
    """The class of the messages that a ``FileDescriptorSet`` describes."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(description).file:
        pool.Add(file)
    descriptor = pool.FindMessageTypeByName(name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)  # Debian's protobuf


def _description(file: Any) -> bytes:
    """A ``FileDescriptorSet`` of a file and of all files that it needs, each after those that it needs itself."""
    found: dict[str, Any] = {}

    def add(each: Any) -> None:
        if each.name not in found:
            for needed in each.dependencies:
                add(needed)
            found[each.name] = each

    add(file)
    result = descriptor_pb2.FileDescriptorSet()
    for each in found.values():
        each.CopyToProto(result.file.add())
    description: bytes = result.SerializeToString()
    return description


def _channel(topic: str, name: str, description: bytes, units: dict[str, str]) -> _Channel:
    """A channel whose messages are described by a ``FileDescriptorSet``."""
    kind = _message_class(name, description)
    values = [field for field in kind.DESCRIPTOR.fields if field.name != "tick"]
    names = tuple(field.json_name for field in values)
    return _Channel(topic, kind.FromString, _row_of([field.name for field in values]), names, units)


class _Cursor:
    """Reads numbers and texts from the front of a record."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._position = 0

    def number(self, kind: str) -> int:
        (value,) = struct.unpack_from("<" + kind, self._content, self._position)
        self._position += struct.calcsize("<" + kind)
        return int(value)

    def skip(self, count: int) -> None:
        self._position += count

    def block(self) -> bytes:
        length = self.number("I")
        self._position += length
        return self._content[self._position - length : self._position]

    def text(self) -> str:
        return self.block().decode()

    def table(self) -> dict[str, str]:
        inner = _Cursor(self.block())
        entries: dict[str, str] = {}
        while inner._position < len(inner._content):
            key = inner.text()
            entries[key] = inner.text()
        return entries

    def rest(self) -> bytes:
        return self._content[self._position :]
