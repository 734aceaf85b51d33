"""Dockerfile and compose.yaml, without a Docker engine: libraries, files, the command and its folder. Usage: image_test.py BUILD"""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian_packages import group, output, owner, with_dependencies

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
DOCKERFILE = (ROOT / "docker/Dockerfile").read_text()
COMPOSE = (ROOT / "docker/compose.yaml").read_text()
# In every debian:12-slim: apt needs them.
IN_BASE = {"libc6", "libgcc-s1", "libstdc++6"}


def packages_of(program):
    """The packages of the libraries that a program names."""
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", output("readelf", "-d", program)))
    paths = dict(re.findall(r"^\t(\S+) \(.*x86-64.*\) => (\S+)$", output("ldconfig", "-p"), re.MULTILINE))
    return {owner(paths[library]) for library in needed - {"ld-linux-x86-64.so.2"}}


def folders_of_the_user():
    """The folders that the Dockerfile makes for the user that runs the program, and for no one else."""
    user = re.search(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)[1]
    return re.search(rf"install -d -o {user} -m 0700 (.+)$", DOCKERFILE, re.MULTILINE)[1].split()


def commands():
    """The command lines of compose.yaml: the server's first, then the driver's."""
    return [json.loads(text) for text in re.findall(r"^    command: (\[.*\])$", COMPOSE, re.MULTILINE)]


@unittest.skipUnless(shutil.which("dpkg-query"), "not a Debian")
class Image(unittest.TestCase):
    def test_the_runtime_group_brings_every_library_of_the_programs(self):
        brought = with_dependencies(group("runtime")) | IN_BASE
        for program in ("tactus", "tactus_drive"):
            self.assertEqual(set(), packages_of(BUILD / program) - brought, program)

    def test_the_image_copies_files_that_exist_and_programs_that_are_built(self):
        copied = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        self.assertTrue(copied)
        for path in " ".join(copied).split():
            self.assertTrue((ROOT / path).exists(), path)
        for path in re.search(r"^COPY --from=build (.+) \S+$", DOCKERFILE, re.MULTILINE)[1].split():
            self.assertTrue((BUILD / pathlib.Path(path).name).exists(), path)
            self.assertTrue(path.startswith("/tactus/build/release/"))

    def test_the_recordings_lie_on_a_volume_that_the_user_of_the_image_may_write(self):
        server = commands()[0]
        folder = server[server.index("--recordings") + 1]
        self.assertIn(f"- recordings:{folder}\n", COMPOSE)
        self.assertRegex(COMPOSE, r"(?m)^volumes:\n  recordings:")
        # A new volume takes owner and mode of the folder in the image.
        self.assertIn(folder, folders_of_the_user())

    def test_the_default_folder_of_the_recordings_is_one_that_the_user_of_the_image_may_write(self):
        folder = re.search(r"--recordings TEXT=(\S+)", output(BUILD / "tactus", "serve", "--help"))[1]
        begin = re.search(r"^WORKDIR (\S+)$", DOCKERFILE[DOCKERFILE.index("AS runtime"):], re.MULTILINE)
        self.assertTrue(begin, "the stage runtime begins in /")
        self.assertIn(begin[1], folders_of_the_user())
        self.assertIn(f"{begin[1]}/{folder}", folders_of_the_user())

    def test_server_and_driver_of_compose_work_together_and_record(self):
        with tempfile.TemporaryDirectory() as folder:
            recordings = pathlib.Path(folder) / "recordings"
            address = f"unix:{folder}/tactus.sock"
            server, driver = commands()
            server[server.index("--recordings") + 1] = str(recordings)
            server[server.index("--listen") + 1] = address
            driver[driver.index("--server") + 1] = address
            process = subprocess.Popen([BUILD / "tactus", *server], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            drive = subprocess.Popen([BUILD / "tactus_drive", *driver], stdout=subprocess.PIPE, text=True)
            try:
                self.assertTrue(drive.stdout.readline())
                output(BUILD / "tactus", "recording", "start", "drive", "--server", address)
            finally:
                drive.send_signal(signal.SIGINT)
                drive.communicate(timeout=60)
                process.send_signal(signal.SIGTERM)
                text, _ = process.communicate(timeout=60)
            self.assertEqual(0, process.returncode, text)
            self.assertEqual(["drive.mcap"], [file.name for file in recordings.glob("*.mcap")])


if __name__ == "__main__":
    unittest.main()
