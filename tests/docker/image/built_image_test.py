"""The image, built by buildah without a Docker engine, and its server. Usage: built_image_test.py BUILD

Builds the stage `runtime` of docker/Dockerfile as root, in a chroot and without an overlay file system: the base is a Debian 12
of mmdebstrap, and the programs are those of the build tree in place of the stage `build`. Skipped without root, buildah
(docker/install_packages.sh image), mmdebstrap or a Debian mirror. All files but the Debian lie in a folder that is removed.
"""
# Covers: docker/Dockerfile

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import clean_debian

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
BASE = "docker.io/library/debian:12-slim"  # as the Dockerfile names it


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(77)


class BuiltImage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            tarball = clean_debian.tarball(BUILD)
        except clean_debian.NoDebian as reason:
            skip(reason)
        cls.folder = cls.enterClassContext(clean_debian.scratch_folder())
        cls.addClassCleanup(cls.buildah, "rm", "--all")
        base = cls.folder / "Containerfile"
        base.write_text(f'FROM scratch\nADD {tarball.name} /\nCMD ["bash"]\n')
        cls.buildah("bud", "--isolation", "chroot", "-t", BASE, "-f", str(base), str(tarball.parent))
        built = cls.folder / "built/tactus/build/release"
        built.mkdir(parents=True)
        for program in ("tactus", "tactus_drive"):
            shutil.copy(BUILD / program, built)
        cls.buildah("bud", "--isolation", "chroot", "--pull-never", "--target", "runtime", "--build-context",
                    f"build={cls.folder}/built", "-f", str(ROOT / "docker/Dockerfile"), "-t", "tactus", str(ROOT))
        cls.container = cls.buildah("from", "--pull-never", "localhost/tactus").strip()

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
        """Runs a command in the container, as the user of the image, and returns its output. Each command of these tests
        prints something; on a loaded host, buildah once returned no output of a command that had succeeded."""
        for _ in range(3):
            output = self.buildah("run", "--isolation", "chroot", self.container, "--", *arguments)
            if output:
                break
        return output

    def test_the_image_starts_the_server_as_an_ordinary_user(self):
        image = json.loads(self.buildah("inspect", "--type", "image", "localhost/tactus"))["OCIv1"]["config"]
        self.assertEqual((image["User"], image["Entrypoint"], image["Cmd"], image["StopSignal"]),
                         ("tactus", ["tactus"], ["serve"], "SIGTERM"))
        self.assertEqual(self.inside("id", "-un").strip(), "tactus")
        self.assertEqual(self.inside("stat", "-c", "%U %a %n", "/var/lib/tactus/recordings", image["WorkingDir"]).splitlines(),
                         ["tactus 700 /var/lib/tactus/recordings", "tactus 700 /var/lib/tactus"])

    def test_the_program_of_the_image_has_its_libraries_and_the_same_bits(self):
        here = subprocess.run([BUILD / "tactus", "run", "four_bar", "--until", "1s"], capture_output=True, text=True, check=True)
        there = self.inside("tactus", "run", "four_bar", "--until", "1s")
        hashes = [next(line for line in text.splitlines() if "state hash" in line) for text in (here.stdout, there)]
        self.assertEqual(*hashes)

    def test_a_server_in_the_container_records_into_its_default_folder_and_ends_in_order(self):
        out = self.inside("sh", "-ec", """
            tactus serve motor_four_bar --clock lockstep --priority 0 --listen unix:/tmp/tactus.sock \\
                --disk-reserve 0 >/tmp/log &
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
