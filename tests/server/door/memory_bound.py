"""How much memory a server may take under a flood."""

SANITIZED = 16  # times as much: a sanitizer holds freed memory back, and keeps notes of each block and its stack


def is_sanitized(process):
    """Whether a server is compiled for a sanitizer. It takes several times as long for everything."""
    with open(f"/proc/{process.pid}/maps") as file:
        return any("libasan" in line or "libtsan" in line for line in file)


def most_mib(process):
    """The bound of the security page for a server, MiB; a looser one for a server that is sanitized."""
    return 256 * (SANITIZED if is_sanitized(process) else 1)
