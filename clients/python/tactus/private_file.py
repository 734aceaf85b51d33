"""Files and folders that only their owner may read, such as recordings, results and models."""

from __future__ import annotations

import contextlib
import os
import pathlib
import stat
import tempfile
from collections.abc import Iterator

from tactus import check

_FILE, _FOLDER = 0o600, 0o700


def private_file(path: str | os.PathLike[str]) -> pathlib.Path:
    """Creates an empty file of mode 0600 if there is none; a file that exists keeps its mode.

    Every function of this package that writes a file creates the file with this function.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    pathlib.Path
        The path.

    Raises
    ------
    OSError
        If there is no file and none can be created.
    """
    try:
        # A link to a file that does not exist is followed, as by open().
        os.close(os.open(os.path.realpath(check.path("path", path)), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE))
    except FileExistsError:
        pass
    return pathlib.Path(path)


@contextlib.contextmanager
def draft_of(path: str | os.PathLike[str]) -> Iterator[pathlib.Path]:
    """A new private file beside a path, which takes its place at the end of the block: all of it is written, or nothing changes.

    A file that exists keeps its mode. What is no regular file, such as a device, is its own draft.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    target = pathlib.Path(os.path.realpath(check.path("path", path)))
    mode = _FILE
    if target.exists():
        if not target.is_file():
            yield target
            return
        mode = stat.S_IMODE(target.stat().st_mode)
        os.close(os.open(target, os.O_WRONLY | os.O_CLOEXEC))  # one that may not be written is not replaced
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:200]}.", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    draft = pathlib.Path(name)
    try:
        os.fchmod(handle, mode)
        os.close(handle)
        yield draft
        os.replace(draft, target)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


def private_folder(path: str | os.PathLike[str]) -> pathlib.Path:
    """Creates a folder of mode 0700, and the missing folders above it; a folder that exists keeps its mode."""
    folder = pathlib.Path(path)
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(_FOLDER, exist_ok=True)
    return folder
