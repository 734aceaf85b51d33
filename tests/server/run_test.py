"""`server/run.sh` behind its installation and its build: when it starts a client. Usage: run_test.py PROGRAM"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "server/run.sh"


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # A tree with the script and the programs of this build; what installs and builds does nothing.
        self.tree = pathlib.Path(folder.name)
        for name in ("server", "docker", "build", "bin"):
            (self.tree / name).mkdir()
        shutil.copy(SCRIPT, self.tree / "server/run.sh")
        for name in ("docker/install_packages.sh", "docker/configure.sh", "bin/cmake"):
            (self.tree / name).write_text("#!/bin/sh\n")
            (self.tree / name).chmod(0o755)
        (self.tree / "build/release").symlink_to(PROGRAM.parent)

    def start(self, *words):
        command = [self.tree / "server/run.sh", "--listen", f"unix:{self.tree}/s", "--priority", "0", *words]
        script = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "PATH": f"{self.tree}/bin:{os.environ['PATH']}"})
        self.addCleanup(script.kill)
        return script

    def drive(self, stream, *words):
        """Standard output of a run that ends after its driver has begun, as it says on a stream."""
        # Where no driver begins, the duration ends the run.
        script = self.start("motor_four_bar", "--duration", "60s", *words)
        lines = []
        while not (lines and lines[-1].startswith("driving motor of session main")):
            lines.append(getattr(script, stream).readline())
            self.assertTrue(lines[-1], "".join(lines))
        script.terminate()
        out, err = script.communicate(timeout=60)
        self.assertEqual((script.returncode, "the driver ended" in err), (0, False), err)
        return "".join(lines) + out if stream == "stdout" else out

    def test_a_server_that_is_ready_gets_its_driver(self):
        self.assertIn("\ndrive: ticks ", self.drive("stdout"))

    def test_a_server_that_prints_json_gets_its_driver_too_and_standard_output_stays_json(self):
        settings = self.tree / "tactus.toml"
        settings.write_text("json = true\n")
        for words in (["--json"], ["--config", settings]):
            with self.subTest(words=words):
                events = [json.loads(line)["event"] for line in self.drive("stderr", *words).splitlines()]
                self.assertEqual((events[0], events[-1]), ("started", "ended"))

    def test_a_model_without_inputs_gets_no_driver_and_a_word_about_it(self):
        for words in ([], ["--json"]):
            with self.subTest(words=words):
                script = self.start("spin_top", "--duration", "200ms", *words)
                out, err = script.communicate(timeout=60)
                self.assertEqual(script.returncode, 0, err)
                self.assertIn("run.sh: the model has no inputs to drive", err)
                self.assertNotIn("driving", out + err)


if __name__ == "__main__":
    unittest.main()
