"""A clean Debian 12, made by mmdebstrap once for the tests of the package and of the image, and a quick folder for them.

dpkg waits for the disk after each file that it writes, for most of the time that mmdebstrap takes. In memory it takes a third.
"""

import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

MEMORY = pathlib.Path("/dev/shm")
ROOM = 2 << 30  # bytes; the test of the image, which copies the Debian for each stage, takes 0.8 GiB
AGE = 24 * 3600  # s: a test of tomorrow sees the updates of Debian


class NoDebian(Exception):
    """Why there is no clean Debian here."""


def scratch():
    """The path of a folder in memory that can hold a Debian; None where there is no such memory: the usual folder, then."""
    if not os.path.ismount(MEMORY):
        return None
    mount = os.statvfs(MEMORY)
    free = [line.split()[1] for line in pathlib.Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable")]
    room = min(mount.f_bavail * mount.f_frsize, 1024 * int(free[0]) // 2)
    return MEMORY if room >= ROOM and not mount.f_flag & (os.ST_NOEXEC | os.ST_NODEV | os.ST_RDONLY) else None


@contextlib.contextmanager
def scratch_folder():
    """An empty folder that is removed in the end, in memory if possible."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        yield pathlib.Path(folder)


def tarball(build):
    """The path of a clean Debian as a tar file in the build tree, at most a day old. NoDebian without a mirror, or without the right."""
    if not shutil.which("mmdebstrap") or os.geteuid() != 0:
        raise NoDebian("needs root and mmdebstrap; docker/install_packages.sh package installs it")
    path = build / "clean_debian.tar"
    # Whoever comes second waits for the tar file of the first one.
    with open(build / "clean_debian.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists() or time.time() - path.stat().st_mtime > AGE:
            part = path.with_suffix(".part.tar")
            made = subprocess.run(["mmdebstrap", "--variant=minbase", "bookworm", part], capture_output=True, text=True, check=False,
                                  env=os.environ | {"TMPDIR": str(scratch() or tempfile.gettempdir())})
            if made.returncode != 0:
                raise NoDebian(f"no clean Debian here: {made.stderr.strip().splitlines()[-1:]}")
            part.replace(path)
    return path


@contextlib.contextmanager
def clean_debian(build):
    """The folder of a clean Debian that knows its mirror, for chroot; it is removed in the end. Raises NoDebian."""
    base = tarball(build)
    with scratch_folder() as folder:
        subprocess.run(["tar", "-C", folder, "-xpf", base], check=True)
        done = subprocess.run(["chroot", folder, "apt-get", "--quiet", "update", "--error-on=any"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NoDebian(f"the mirror of Debian does not answer: {done.stderr.strip().splitlines()[-1:]}")
        yield folder
