"""Downloading the file of a recording, chunk by chunk."""

from __future__ import annotations

import os
import pathlib
import zlib

from tactus import check
from tactus.private_file import private_file
from tactus.transport import messages
from tactus.v1 import simulation_pb2, simulation_pb2_grpc
from tactus.wire_errors import typed_errors


def download_recording(
    stub: simulation_pb2_grpc.SimulationStub, name: str, path: str | os.PathLike[str], timeout: float
) -> int:
    """Appends the missing part of a recording to a file; see `Client.download_recording`.

    Parameters
    ----------
    stub : tactus.v1.SimulationStub
    name : str
        Name of the recording.
    path : str or os.PathLike
        File to write. Its present content must be the beginning of the recording.
    timeout : float
        Deadline of the call, s.

    Returns
    -------
    int
        Length of the file, bytes.

    Raises
    ------
    FileExistsError
        If the file is not the beginning of the recording. It is left as it is.
    OSError
        If a chunk does not match its checksum, the download ends early, or the file cannot be written.
    """
    path = pathlib.Path(check.path("path", path))
    there = path.stat().st_size if path.exists() else 0
    position = total = 0
    # The recording is sent from its beginning: only so is it known that the file has the same bytes.
    request = simulation_pb2.DownloadRecordingRequest(name=name)
    with typed_errors():
        for chunk in messages(stub.DownloadRecording(request, timeout=timeout)):
            if chunk.offset != position or zlib.crc32(chunk.data) != chunk.crc:
                raise OSError(f"{name}: checksum mismatch at byte {position}; call download_recording again")
            _keep(path, name, chunk.data, position, there)
            position += len(chunk.data)
            total = chunk.file_bytes
    if position != total:
        raise OSError(f"{name}: the download ended at byte {position} of {total}; call download_recording again")
    if there > total:
        raise _other(path, name)
    return total


def _keep(path: pathlib.Path, name: str, data: bytes, position: int, there: int) -> None:
    """Compares the part of the data that the file had at first, `there` bytes long, and appends the rest."""
    old = min(max(there - position, 0), len(data))
    if old:
        with path.open("rb") as file:
            file.seek(position)
            if file.read(old) != data[:old]:
                raise _other(path, name)
    if old < len(data):
        private_file(path)
        with path.open("ab") as file:
            file.write(data[old:])


def _other(path: pathlib.Path, name: str) -> FileExistsError:
    return FileExistsError(f"{path} is not the beginning of recording {name}; remove it or choose another path")
