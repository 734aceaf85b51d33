"""Downloading the file of a recording, chunk by chunk."""

from __future__ import annotations

import os
import pathlib
import zlib

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
    """
    path = pathlib.Path(path)
    position = path.stat().st_size if path.exists() else 0
    total = position
    request = simulation_pb2.DownloadRecordingRequest(name=name, offset=position)
    with typed_errors():
        for chunk in messages(stub.DownloadRecording(request, timeout=timeout)):
            if chunk.offset != position or zlib.crc32(chunk.data) != chunk.crc:
                raise OSError(f"{name}: checksum mismatch at byte {position}; call download_recording again")
            private_file(path)
            with path.open("ab") as file:
                file.write(chunk.data)
            position += len(chunk.data)
            total = chunk.file_bytes
    if position != total:
        raise OSError(f"{name}: the download ended at byte {position} of {total}; call download_recording again")
    return total
