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

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
DOCKERFILE = (ROOT / "docker/Dockerfile").read_text()
COMPOSE = (ROOT / "docker/compose.yaml").read_text()
# In every debian:12-slim: apt needs them.
IN_BASE = {"libc6", "libgcc-s1", "libstdc++6"}


def output(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


def group(name):
    """The packages of a group of docker/packages.txt."""
    lines = (ROOT / "docker/packages.txt").read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"# [{name}]")) + 1
    end = next((i for i in range(begin, len(lines)) if lines[i].startswith("# [")), len(lines))
    return {line for line in lines[begin:end] if line and not line.startswith("#")}


def packages_of(program):
    """The packages of the libraries that a program names."""
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", output("readelf", "-d", program)))
    paths = dict(re.findall(r"^\t(\S+) \(.*x86-64.*\) => (\S+)$", output("ldconfig", "-p"), re.MULTILINE))
    found = set()
    for library in needed - {"ld-linux-x86-64.so.2"}:
        # Debian 12 keeps files of merged folders under the name without /usr.
        path = pathlib.Path(paths[library]).resolve()
        asked = [path, pathlib.Path("/") / path.relative_to("/usr")] if path.is_relative_to("/usr") else [path]
        answer = subprocess.run(["dpkg", "-S", *map(str, asked)], capture_output=True, text=True, check=False).stdout
        found.add(answer.split(":")[0])
    return found


def depends_on(packages):
    """The packages themselves and all that they depend on, as installed here."""
    found, left = set(), set(packages)
    while left:
        package = left.pop()
        found.add(package)
        lines = subprocess.run(["dpkg-query", "-W", "-f=${Depends}", package], capture_output=True, text=True, check=False).stdout
        left |= set(re.findall(r"(?:^|, |\| )([a-z0-9.+-]+)", lines)) - found
    return found


def commands():
    """The command lines of compose.yaml: the server's first, then the driver's."""
    return [json.loads(text) for text in re.findall(r"^    command: (\[.*\])$", COMPOSE, re.MULTILINE)]


@unittest.skipUnless(shutil.which("dpkg-query"), "not a Debian")
class Image(unittest.TestCase):
    def test_the_runtime_group_brings_every_library_of_the_programs(self):
        brought = depends_on(group("runtime")) | IN_BASE
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
        user = re.search(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)[1]
        self.assertRegex(DOCKERFILE, rf"install -d -o {user} -m 0700 {re.escape(folder)}\b")

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
