"""The image, built by buildah without a Docker engine, and its server. Usage: built_image_test.py BUILD

Builds the stage `runtime` of docker/Dockerfile as root, in a chroot and without an overlay file system: the base is a Debian 12
of mmdebstrap, and the programs are those of the build tree in place of the stage `build`. Skipped without root, buildah
(docker/install_packages.sh image), mmdebstrap or a Debian mirror. All files lie in a folder that is removed.
"""
# Covers: docker/Dockerfile

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
BASE = "docker.io/library/debian:12-slim"  # as the Dockerfile names it


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(77)


class BuiltImage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.keeper.name)
        base = cls.folder / "base"
        base.mkdir()
        made = subprocess.run(["mmdebstrap", "--variant=minbase", "bookworm", str(base / "base.tar")], capture_output=True,
                              text=True, check=False)
        if made.returncode != 0:
            cls.tearDownClass()
            skip(f"no clean Debian here: {made.stderr.strip().splitlines()[-1:]}")
        (base / "Containerfile").write_text('FROM scratch\nADD base.tar /\nCMD ["bash"]\n')
        cls.buildah("bud", "--isolation", "chroot", "-t", BASE, str(base))
        built = cls.folder / "built/tactus/build/release"
        built.mkdir(parents=True)
        for program in ("tactus", "tactus_drive"):
            shutil.copy(BUILD / program, built)
        cls.buildah("bud", "--isolation", "chroot", "--pull-never", "--target", "runtime", "--build-context",
                    f"build={cls.folder}/built", "-f", str(ROOT / "docker/Dockerfile"), "-t", "tactus", str(ROOT))
        cls.container = cls.buildah("from", "--pull-never", "localhost/tactus").strip()

    @classmethod
    def tearDownClass(cls):
        if (cls.folder / "store").exists():
            cls.buildah("rm", "--all")
        cls.keeper.cleanup()

    @classmethod
    def command(cls, *arguments):
        return ["buildah", "--storage-driver", "vfs", "--root", f"{cls.folder}/store", "--runroot", f"{cls.folder}/run", *arguments]

    @classmethod
    def buildah(cls, *arguments):
        done = subprocess.run(cls.command(*arguments), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"buildah {' '.join(arguments)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def inside(self, *arguments):
        """Runs a command in the container, as the user of the image."""
        return self.buildah("run", "--isolation", "chroot", self.container, "--", *arguments)

    def test_the_image_starts_the_server_as_an_ordinary_user(self):
        image = json.loads(self.buildah("inspect", "--type", "image", "localhost/tactus"))["OCIv1"]["config"]
        self.assertEqual((image["User"], image["Entrypoint"], image["Cmd"], image["StopSignal"]),
                         ("tactus", ["tactus"], ["serve"], "SIGTERM"))
        self.assertEqual(self.inside("id", "-un").strip(), "tactus")
        self.assertEqual(self.inside("stat", "-c", "%U %a", "/var/lib/tactus/recordings").strip(), "tactus 700")

    def test_the_program_of_the_image_has_its_libraries_and_the_same_bits(self):
        here = subprocess.run([BUILD / "tactus", "run", "four_bar", "--until", "1s"], capture_output=True, text=True, check=True)
        there = self.inside("tactus", "run", "four_bar", "--until", "1s")
        hashes = [next(line for line in text.splitlines() if "state hash" in line) for text in (here.stdout, there)]
        self.assertEqual(*hashes)

    def test_a_server_in_the_container_records_and_ends_in_order(self):
        out = self.inside("sh", "-ec", """
            tactus serve motor_four_bar --clock lockstep --priority 0 --listen unix:/tmp/tactus.sock \\
                --recordings /var/lib/tactus/recordings --disk-reserve 0 >/tmp/log &
            until grep -q ^endpoint /tmp/log; do kill -0 $!; sleep 0.1; done
            tactus recording start drive --server unix:/tmp/tactus.sock >/dev/null
            tactus recording stop drive --server unix:/tmp/tactus.sock --json
            kill -TERM $!
            wait $!
            """)
        stopped = json.loads(out)
        self.assertEqual((stopped["error"], stopped["running"]), ("", False))
        self.assertGreater(int(self.inside("stat", "-c", "%s", "/var/lib/tactus/recordings/drive.mcap")), 0)


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("buildah") or not shutil.which("mmdebstrap"):
        skip("needs root, buildah and mmdebstrap; docker/install_packages.sh image package installs them")
    unittest.main()
