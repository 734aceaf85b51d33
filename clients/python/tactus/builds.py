"""The build of Tactus that computes in this process. Only the same build gives the same bits."""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class BuildInfo(NamedTuple):
    """A build of Tactus, as ``tactus --version`` prints it. The same inputs give the same bits with the same build.

    Attributes
    ----------
    version, commit, compiler, flags, instruction_set : str
        A ``+`` after the commit: the sources had changes that were not committed.

    Examples
    --------
    >>> import tactus
    >>> tactus.build_info()._fields
    ('version', 'commit', 'compiler', 'flags', 'instruction_set')
    """

    version: str
    commit: str
    compiler: str
    flags: str
    instruction_set: str

    @property
    def hash(self) -> str:
        """str : hash of all attributes, 16 hex digits; the results of a sweep hold it.

        Examples
        --------
        >>> import tactus
        >>> len(tactus.build_info().hash)
        16
        """
        return hashlib.sha256("\n".join(self).encode()).hexdigest()[:16]


def build_info() -> BuildInfo:
    """The build of the engine in this process. That of a server is `Client.info`.

    Returns
    -------
    BuildInfo

    Examples
    --------
    >>> import tactus
    >>> build = tactus.build_info()
    >>> print("computed with", build.version, build.commit, build.compiler)  # doctest: +ELLIPSIS
    computed with ...
    """
    from tactus import _native

    return BuildInfo(*_native.build_info())
