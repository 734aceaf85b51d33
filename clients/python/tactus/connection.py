"""The function that connects to a server."""

from __future__ import annotations

import os

from tactus.channel import choose_credentials
from tactus.client import Client
from tactus.units import Duration


def connect(
    address: str = "127.0.0.1:50051",
    timeout: Duration = 5.0,
    wait: Duration = 0.0,
    *,
    tls_ca: str | os.PathLike[str] | None = None,
    tls_cert: str | os.PathLike[str] | None = None,
    tls_key: str | os.PathLike[str] | None = None,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    insecure: bool = False,
) -> Client:
    """Connects to a server.

    Parameters
    ----------
    address : str
        ``"127.0.0.1:50051"``, ``"localhost:50051"``, ``"[::1]:50051"`` or ``"unix:/path"``; with `tls_ca` also
        ``"host:50051"``.
    timeout : str, timedelta or float
        Deadline of every call that is not a stream: ``"5s"``, or seconds as a float. No ``int``: its unit would be unclear.
    wait : str, timedelta or float
        Maximum wait for the server to start. Default 0.0: the server must be running.
    tls_ca, tls_cert, tls_key : path, optional
        PEM files: the authority of the server, which switches TLS on, and certificate and key of this client. Default:
        TACTUS_TLS_CA, TACTUS_TLS_CERT and TACTUS_TLS_KEY.
    token, token_file : str or path, optional
        A token of the server, or a file of mode 0600 with one. Default: TACTUS_TOKEN_FILE.
    insecure : bool
        Speak plaintext to another host, without a token.

    Returns
    -------
    Client
        A context manager that closes the connection at the end of the block.

    Raises
    ------
    Unreachable, NotAuthenticated
        If no server answers or the handshake of TLS fails; if the server requires a token.
    RequestInvalid
        If the address is of another host and nothing would be encrypted, or a file cannot be used.

    Examples
    --------
    >>> import tactus
    >>> client = tactus.connect("127.0.0.1:50051", timeout="2s")
    >>> client.close()
    """
    client = Client(address, timeout, choose_credentials(tls_ca, tls_cert, tls_key, token, token_file, insecure))
    client.open(wait)
    return client
