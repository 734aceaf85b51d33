"""What `tactus run`, `validate` and `qualify` say of bad input, and what a run leaves that fails or is interrupted.
Usage: method_input_test.py PROGRAM"""
# Covers: server/cli/interrupt_flag.cpp, server/cli/model_argument.cpp, server/cli/report_file.cpp, server/cli/run.cpp
# Covers: server/cli/run_method.cpp, server/cli/run_report.cpp, server/cli/subcommand.h, server/cli/validate.cpp

import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
RUN = "run double_pendulum --until 100ms --step 10ms"

# Arguments, and what the one line of the answer must hold: name, value, rule, and the nearest or the known ones.
REFUSED = [
    # Methods.
    (f"{RUN} --integrator newmark-tangnt", ["'newmark-tangnt'", "did you mean 'newmark-tangent'"]),
    (f"{RUN} --integrator xyz", ["'xyz'", "there are", "ali3p", "rn4", "lms2"]),
    (f"{RUN} --integrator ''", ["''", "there are"]),
    # Options: unknown, without a value, not a number, out of range, not whole, not one of the choices.
    (f"{RUN} --integrator lms2 --set rho_imf=0.5", ["lms2", "'rho_imf'", "did you mean 'rho_inf'"]),
    (f"{RUN} --integrator central-difference --set alpha=1", ["central-difference", "'alpha'", "none"]),
    (f"{RUN} --integrator lms2 --set rho_inf", ["'rho_inf'", "KEY=VALUE"]),
    (f"{RUN} --integrator lms2 --set rho_inf=high", ["rho_inf", "'high'", "0 ... 1"]),
    (f"{RUN} --integrator lms2 --set rho_inf=", ["rho_inf", "''", "0 ... 1"]),
    (f"{RUN} --integrator lms2 --set rho_inf=nan", ["rho_inf", "'nan'", "0 ... 1"]),
    (f"{RUN} --integrator lms2 --set rho_inf=-0.1", ["rho_inf", "'-0.1'", "0 ... 1"]),
    (f"{RUN} --integrator lms3 --set rho_inf=1", ["lms3", "rho_inf", "'1'", "0 ... 0.95"]),
    (f"{RUN} --integrator mssth5 --set rho_inf=0.4", ["mssth5", "rho_inf", "'0.4'", "0 ... 0.3"]),
    (f"{RUN} --integrator lms2 --set iterations=0", ["iterations", "'0'", "a whole number, 1 ... 100"]),
    (f"{RUN} --integrator lms2 --set iterations=2.5", ["iterations", "'2.5'", "a whole number"]),
    (f"{RUN} --integrator newmark-tangent --set scheme=fox", ["scheme", "'fox'", "trapezoidal, fox-goodwin"]),
    (f"{RUN} --integrator newmark-tangent --set frequencies=yes", ["frequencies", "'yes'", "true or false"]),
    (f"{RUN} --integrator newmark-tangent --set beta=2", ["beta", "'2'", "0 ... 1"]),
    (f"{RUN} --integrator rn4 --set coordinates=euler", ["coordinates", "'euler'", "orthonormal, partitioned"]),
    (f"{RUN} --integrator arkode --set scheme=implicit --set order=8", ["arkode", "implicit", "2 to 5"]),
    (f"{RUN} --integrator mcs-qr --set adaptive=true", ["adaptive", "rule=dormand-prince"]),
    (f"{RUN} --set velocity_passes=0", ["velocity_passes", "'0'", "1 ... 10"]),
    (f"{RUN} --set relative_compliance=1", ["relative_compliance", "'1'", "0.001"]),
    # Tolerances.
    (f"{RUN} --integrator rn4 --set rtol=0", ["rn4", "rtol", "'0'", "1e-13 ... 1"]),
    (f"{RUN} --integrator rn4 --set atol=-1e-3", ["atol", "'-1e-3'", "1e-13 ... 1"]),
    (f"{RUN} --integrator rn4 --set rtol=tight", ["rtol", "'tight'", "1e-13 ... 1"]),
    (f"{RUN} --integrator ida --set rtol=2", ["ida", "rtol", "'2'", "1e-14 ... 1"]),
    (f"{RUN} --integrator lms2 --set tolerance=1", ["tolerance", "'1'", "0.0001"]),
    # Steps and horizons.
    ("run double_pendulum --until 100ms --step 30ms --integrator lms2", ["until", "0.1", "0.03", "whole number of steps"]),
    ("run double_pendulum --until 100ms --step 30ms", ["--until", "100ms", "30ms", "whole number of steps"]),
    ("run double_pendulum --until 100ms --step 0ms --integrator lms2", ["0ms"]),
    ("run double_pendulum --until -1s --step 10ms --integrator lms2", ["-1s"]),
    ("run double_pendulum --until soon --integrator lms2", ["soon"]),
    ("run double_pendulum --until 100ms --step 10 --integrator lms2", ["10"]),
    (f"{RUN} --integrator lms2 --iterations 3", ["--iterations", "--set iterations=N"]),
    # Models that a method cannot treat.
    ("run four_bar --until 100ms --integrator ali3p-literal", ["ali3p-literal", "chains of spherical joints on ground"]),
    ("run sedan --until 100ms --integrator ali3p-literal", ["ali3p-literal", "chains of spherical joints", "no force elements"]),
    ("run no_such_model --until 1s --integrator rn4", ["no_such_model"]),
    ("run four_bar --until 1s --initial upside_down --integrator rn4", ["upside_down"]),
    # Files.
    (f"{RUN} --integrator lms2 --out run.mcap", ["run.mcap", "only ali3p", ".csv"]),
    (f"{RUN} --integrator lms2 --out run.txt", ["run.txt", ".csv"]),
    (f"{RUN} --out run.txt", ["run.txt", ".csv", ".mcap"]),
    (f"{RUN} --integrator lms2 --out /no/such/folder/run.csv", ["/no/such/folder/run.csv", "No such file"]),
    (f"{RUN} --integrator lms2 --inputs no_such.csv", ["no_such.csv"]),
    (f"{RUN} --integrator lms2 --out run.csv --signals B.r.w", ["B.r.w"]),
    # What --out would write, without --out; a name that is neither an option nor a parameter.
    ("run double_pendulum --until 10ms --signals energy.total", ["--signals", "--out"]),
    ("run double_pendulum --until 10ms --every 2", ["--every", "--out"]),
    # Whole numbers in decimal digits.
    (f"{RUN} --out run.csv --every 010", ["--every", "010 has a leading zero"]),
    (f"{RUN} --out run.csv --every 99999999999999999999", ["--every", "beyond the whole numbers of 64 bits"]),
    # A glob between brackets, an option and an argument too many: as they were written.
    (f"{RUN} --out run.csv --signals [cd]*.[xq]", ["'[cd]*.[xq]' is not known"]),
    (f"{RUN} --sgnals=[ab]", ["no option '--sgnals=[ab]'", "did you mean '--signals'"]),
    (f"{RUN} [ab]", ["does not take the argument '[ab]'"]),
    (f"{RUN} --signals a b --out x.csv", ["does not take the argument 'b'; several values of --signals are given as --signals a,b"]),
    (f"{RUN} --signals=a [bc] d", ["'[bc]'; several values of --signals are given as --signals a,[bc]"]),
    (f"{RUN} --set a=1 b=2", ["does not take the argument 'b=2'; several values of --set are given as --set a=1 --set b=2"]),
    (f"{RUN} --initial a b", ["does not take the argument 'b'; tactus run --help"]),
    ("run sedan --until 10ms --set grip=2", ["no option 'grip'", "parameters", "tyre_grip"]),
    ("run sedan --until 10ms --set road_frictin=2", ["did you mean 'road_friction'?"]),
    # The reports.
    ("validate double_pendulum --until 1005ms --step 10ms", ["until", "whole number of steps"]),
    ("validate double_pendulum --until 1s --against lms22", ["'lms22'", "did you mean 'lms2'"]),
    ("validate double_pendulum --until 1s --against lms2:rho_imf=1", ["lms2", "'rho_imf'", "did you mean 'rho_inf'"]),
    ("validate double_pendulum --until 1s --tol 0", ["--tol", "0"]),
    ("validate double_pendulum --until 1s --report /no/such/folder/page.html", ["/no/such/folder/page.html", "written"]),
    ("validate no_such_model --until 1s", ["no_such_model"]),
    ("qualify double_pendulum --period 0ms", ["0ms"]),
    ("qualify double_pendulum --period 1ms --duration 1ms", ["duration", "two periods"]),
    ("qualify double_pendulum --head-room 0.5", ["--head-room", "0.5"]),
    ("integrators lsm2", ["'lsm2'", "did you mean 'lms2'"]),
]


class MethodInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_to_end(self, arguments):
        words = [word if word != "''" else "" for word in arguments.split(" ")]
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, timeout=60)

    def test_bad_input_is_refused_with_exit_code_2_and_a_correction(self):
        for arguments, fragments in REFUSED:
            with self.subTest(arguments):
                done = self.run_to_end(arguments)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                for fragment in fragments:
                    self.assertIn(fragment, done.stderr)
                self.assertNotIn("terminate called", done.stderr)

    def test_a_file_that_is_no_model_file_is_told_its_kinds_and_what_is_near(self):
        for name in ("arm.json", "arm2.JSON", "arm.yaml", "robot.urdf"):
            pathlib.Path(self.folder, name).write_text("{}")
        nothing = "there is no built-in model"
        for words, says in (
            ("run arm_json --until 1s", f'{nothing} "arm_json", and the name of a model file ends in .json or .txtpb; did you mean the file arm.json?'),
            ("run x.yaml --until 1s", f'{nothing} "x.yaml", and the name of a model file ends in .json or .txtpb; tactus models lists'),
            ("run arm.yaml --until 1s", "arm.yaml: the name of a model file ends in .json or .txtpb; files of URDF, MJCF, SDF and OpenDRIVE become one"),
            ("run arm2.JSON --until 1s", "arm2.JSON: the name of a model file ends in .json or .txtpb; write the ending in small letters"),
            ("run sedan.json --until 1s", "sedan.json: cannot be opened: No such file or directory; did you mean the built-in model sedan?"),
            ("run four_bat --until 1s", "did you mean the built-in model four_bar?"),
            ("run ./ar.json --until 1s", "./ar.json: cannot be opened: No such file or directory; did you mean the file ./arm.json?"),
            ("model import robot.urdf", "robot.urdf: must be a file of URDF, MJCF, SDF or OpenDRIVE, which are XML"),
            ("model import arm.json", "which are XML (a model file of Tactus needs no import)"),
        ):
            with self.subTest(words):
                done = self.run_to_end(words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(says, done.stderr)

    def test_globs_between_brackets_choose_the_signals_of_a_trajectory(self):
        for words in ("--signals [ab].r.[xz]", "--signals=[ab].r.[xz]", "--signals [a].r.[xz],[b].r.[xz]", "--signals [!c].r.[xz]"):
            with self.subTest(words):
                done = self.run_to_end(f"{RUN} --out run.csv {words}")
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(os.path.join(self.folder, "run.csv"), newline="") as file:
                    self.assertEqual(next(csv.reader(file)), ["t", "a.r.x", "a.r.z", "b.r.x", "b.r.z"])

    def test_a_run_that_fails_midway_keeps_its_trajectory_and_reports_when_where_and_why(self):
        base = "run double_pendulum --until 10s --step 100ms --integrator newmark-tangent --set iterations=4 --out run.csv"
        text = self.run_to_end(base)
        self.assertEqual(text.returncode, 4)
        self.assertRegex(text.stdout, r"failed +newmark-tangent stopped at t = [0-9.e-]+ s, after \d+ steps: no convergence")
        self.assertRegex(text.stdout, r"body '[ab]' accelerates most")
        failed = self.run_to_end(base + " --json")
        self.assertEqual(failed.returncode, 4)
        report = json.loads(failed.stdout)
        self.assertEqual(report["status"], "failed")
        with open(os.path.join(self.folder, "run.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(report["steps"], 0)
        self.assertEqual(len(rows), report["steps"] + 1)
        self.assertAlmostEqual(float(rows[-1]["t"]), report["sim_time"])
        self.assertIn("integrator.omega", rows[-1])

    def test_a_report_replaces_an_older_one_at_its_end_alone(self):
        page = pathlib.Path(self.folder, "page.html")
        for _ in range(2):
            before = page.read_text() if page.exists() else None
            arguments = ["validate", "double_pendulum", "--until", "1000s", "--report", str(page)]
            with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
                run.stderr.readline()  # it compares
                run.kill()
            self.assertEqual(page.read_text() if page.exists() else None, before)
            short = f"validate double_pendulum --until 20ms --against bathe --report {page}".split(" ")
            subprocess.run([PROGRAM, *short], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertNotEqual(page.read_text(), before)

    def test_a_report_replaces_no_file_of_another_kind(self):
        model, page = pathlib.Path(self.folder, "model.json"), pathlib.Path(self.folder, "page.html")
        model.write_text('{"name": "mine"}')
        page.write_text("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head><p>Mine</p></html>")
        for path in (model, page):
            before = path.read_bytes()
            for command in ("validate double_pendulum --until 20ms --against bathe", "qualify double_pendulum --duration 20ms --priority 0"):
                run = subprocess.run([PROGRAM, *command.split(" "), "--report", str(path)], capture_output=True, text=True)
                self.assertEqual((run.returncode, path.read_bytes()), (2, before), command)
                self.assertIn(f"{path}: this file is no report and would be replaced; choose another name, or delete it", run.stderr)
        page.write_text("")  # as mktemp makes it
        subprocess.run([PROGRAM, *"validate double_pendulum --until 20ms --against bathe --report".split(" "), page], stdout=subprocess.DEVNULL)
        self.assertIn("verdict", page.read_text())

    def test_a_refused_run_leaves_an_older_trajectory(self):
        trajectory = pathlib.Path(self.folder, "run.csv")
        for words in ("--integrator arkode --set scheme=implicit --set order=8", "--integrator rn4 --signals nothing",
                      "--integrator newmark-tangent --set beta=2", "--set velocity_passes=0", "--signals nothing"):
            trajectory.write_text("an older trajectory")
            run = subprocess.run([PROGRAM, *f"{RUN} {words} --out {trajectory}".split(" ")], capture_output=True)
            self.assertEqual((run.returncode, trajectory.read_text()), (2, "an older trajectory"), words)

    def test_an_interrupted_run_keeps_its_results(self):
        command = [PROGRAM, *"run bricard --until 2000s --step 1ms --integrator rn4 --out run.csv --every 10".split(" ")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        self.assertRegex(process.stderr.readline(), r"t = [0-9.e-]+ s of 2000 s")  # it runs, and says how far it is
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", out)
        with open(os.path.join(self.folder, "run.csv"), newline="") as file:
            self.assertGreater(len(list(csv.DictReader(file))), 1)  # the first row is the initial state

    def test_an_interrupted_validation_keeps_its_results(self):
        command = [PROGRAM, *"validate bricard --until 20s --budget 20s --against mcs-qr,rn4 --report page.html --json".split(" ")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        while "mcs-qr, step" not in process.stderr.readline():  # the real-time solver is done
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        report = json.loads(out)
        self.assertTrue(report["interrupted"])
        self.assertEqual([row["method"] for row in report["rows"]][:3], ["ali3p"] * 3)
        with open(os.path.join(self.folder, "page.html")) as file:
            self.assertIn("Interrupted", file.read())


if __name__ == "__main__":
    unittest.main()
