"""How much memory a server may take under a flood."""

SANITIZED = 16  # times as much: a sanitizer holds freed memory back, and keeps notes of each block and its stack


def most_mib(process):
    """The bound of the security page for a server, MiB; a looser one for a server that is compiled for a sanitizer."""
    with open(f"/proc/{process.pid}/maps") as file:
        is_sanitized = any("libasan" in line or "libtsan" in line for line in file)
    return 256 * (SANITIZED if is_sanitized else 1)
