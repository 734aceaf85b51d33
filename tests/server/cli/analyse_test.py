"""`tactus analyse` against closed forms, on built-in models and on models written here.
Usage: analyse_test.py PROGRAM"""
# Covers: server/cli/analyse.cpp, server/cli/analyse_equilibrium.cpp, server/cli/analyse_linearize.cpp
# Covers: server/cli/analyse_modes.cpp, server/cli/analyse_response.cpp, server/cli/analyse_trim.cpp
# Covers: server/cli/analysis_point.cpp, server/cli/equilibrium_model.cpp, server/cli/linear_report.cpp
# Covers: server/cli/matrix_file.cpp, rt/signals/state_outputs.cpp

import csv
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
G = 9.81
OK, FINDING, USAGE = 0, 1, 2


def tactus(*words):
    return subprocess.run([PROGRAM, *[str(word) for word in words]], capture_output=True, text=True, timeout=280)


def body(name, mass, inertia, position):
    return {"name": name, "mass": mass, "inertia": {"xx": inertia, "yy": inertia, "zz": inertia}, "position": position}


def crane(trolley=5.0, load=2.0, length=1.5, inertia=0.1):
    """A trolley on a rail along x with a load that swings below it, and a force on the trolley."""
    return {
        "name": "crane",
        "gravity": [0, 0, -G],
        "bodies": [body("trolley", trolley, 1, [0, 0, 0]), body("load", load, inertia, [0, 0, -length])],
        "joints": [
            {"name": "rail", "body_1": "ground", "body_2": "trolley",
             "prismatic": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}},
            {"name": "hook", "body_1": "trolley", "body_2": "load",
             "revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, length], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}},
        ],
        "actuators": [{"name": "push", "body_force": {"body": "trolley", "point": [0, 0, 0], "direction": [1, 0, 0]}}],
        "sensors": [{"name": "swing", "joint_angle": {"joint": "hook"}}],
    }


def loaded_beam(points, elements, stiffness, force):
    """A beam clamped at its first point, with a force along z at its end; its sensors are the tip."""
    length = sum(math.dist(p, q) for p, q in zip(points, points[1:]))
    matrix = [stiffness[i] if i == j else 0 for i in range(6) for j in range(6)]
    # The mass center of the last node lies a sixth of an element inside the end.
    end, last = [length / elements / 6, 0, 0], f"beam.{elements}"
    section = {"place": 0, "general": {"stiffness": matrix, "mass": 1, "inertia": [1, 1, 1]}}
    return {
        "name": "loaded_beam",
        "gravity": [0, 0, 0],
        "composites": [{"name": "beam", "beam": {
            "points": [{"position": point} for point in points], "elements": elements, "across": [0, 0, 1],
            "stations": [section], "mounts": [{"node": 0, "body": "ground"}]}}],
        "actuators": [{"name": "push", "minimum": 0, "maximum": 1000, "initial": force,
                       "body_force": {"body": last, "point": end, "direction": [0, 0, 1]}}],
        "sensors": [{"name": f"tip_{axis}", "point_position": {
            "body": last, "point": end, "direction": [int(axis == other) for other in "xyz"]}} for axis in "xyz"],
    }


class Analyse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, model):
        path = self.folder / f"{model['name']}.json"
        path.write_text(json.dumps(model))
        return path

    def answer(self, *words, code=OK):
        run = tactus("analyse", *words, "--json")
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        return json.loads(run.stdout)

    def rows(self, path):
        return list(csv.reader(path.read_text().splitlines()))

    def refusal(self, *words):
        run = tactus("analyse", *words)
        self.assertEqual(run.returncode, USAGE, run.stdout)
        return run.stderr

    def test_a_crane_has_the_matrices_of_its_closed_form(self):
        mass, load, length, inertia = 5.0, 2.0, 1.5, 0.1
        answer = self.answer("linearize", self.write(crane(mass, load, length, inertia)))
        self.assertEqual([state["name"] for state in answer["states"]],
                         ["rail.travel", "hook.angle", "rail.travel_rate", "hook.rate"])
        self.assertTrue(answer["equilibrium"])
        # (M + m) x'' - m l phi'' = u,  (I + m l^2) phi'' - m l x'' + m g l phi = 0, phi about y.
        a, b, c = mass + load, -load * length, inertia + load * length**2
        det, k = a * c - b * b, load * G * length
        expected = [[0, 0, 1, 0], [0, 0, 0, 1], [0, b * k / det, 0, 0], [0, -a * k / det, 0, 0]]
        for row, wanted in zip(answer["A"], expected):
            for value, number in zip(row, wanted):
                self.assertAlmostEqual(value, number, delta=1e-9)  # round-off
        for row, number in zip(answer["B"], [0, 0, c / det, -b / det]):
            self.assertAlmostEqual(row[0], number, delta=1e-9)  # round-off of a difference of a linear law
        self.assertEqual(answer["outputs"][0]["name"], "swing")
        for value, number in zip(answer["C"][0], [0, 1, 0, 0]):
            self.assertAlmostEqual(value, number, delta=1e-9)  # as above

    def test_the_stiff_double_pendulum_has_the_eigenvalues_of_its_joint_angles(self):
        answer = self.answer("modes", "stiff_double_pendulum", code=FINDING)
        self.assertFalse(answer["equilibrium"])
        values = sorted((mode["real"], mode["imaginary"]) for mode in answer["modes"])
        # Published to these digits for joint angles, by an independent code.
        for (real, imaginary), (r, i) in zip(values, [(-99867, 0), (-7.185, 0), (-1.347, 6.875)]):
            self.assertAlmostEqual(real / r, 1, delta=1e-3)
            self.assertAlmostEqual(imaginary, i, delta=1e-3)

    def test_a_sleeping_top_nutates_and_precesses_as_its_closed_form(self):
        spin, mass, arm, across, along = 60.0, 1.5, 0.2, 0.08, 0.03
        top = body("top", mass, across - mass * arm**2, [0, 0, arm])
        top["inertia"]["zz"] = along
        top["angular_velocity"] = [0, 0, spin]
        model = {"name": "top", "gravity": [0, 0, -G], "bodies": [top],
                 "joints": [{"name": "tip", "body_1": "ground", "body_2": "top",
                             "spherical": {"point_1": [0, 0, 0], "point_2": [0, 0, -arm]}}]}
        answer = self.answer("modes", self.write(model))
        self.assertTrue(answer["equilibrium"])
        self.assertTrue(answer["moves"])
        # A nu^2 - C spin nu + m g l = 0, with A about the tip.
        root = math.sqrt((along * spin)**2 - 4 * across * mass * G * arm)
        found = sorted(mode["frequency"] * 2 * math.pi for mode in answer["modes"] if mode["kind"] == "oscillation")
        for value, nu in zip(found, sorted((along * spin + sign * root) / (2 * across) for sign in (-1, 1))):
            self.assertAlmostEqual(value / nu, 1, delta=1e-9)  # round-off

    def test_a_cantilever_has_the_frequencies_of_the_closed_form(self):
        answer = self.answer("modes", "cantilever:n=16", "--equilibrium")
        height, density, modulus = 0.016, 7800, 207e9
        root = math.sqrt(modulus * height**2 / 12 / density)
        found = [mode["frequency"] for mode in answer["modes"][:6:2]]  # each twice: the section is square
        for value, beta in zip(found, (1.875104, 4.694091, 7.854757)):
            self.assertAlmostEqual(value / (beta**2 * root / (2 * math.pi)), 1, delta=5e-3)  # shear takes 0.3 %

    def test_a_beam_bends_by_a_force_as_its_closed_form(self):
        force, length, elements = 0.01, 2.0, 8
        beam = loaded_beam([[0, 0, 0], [length, 0, 0]], elements, [1e6, 4e5, 4e5, 80, 100, 100], force)
        tip = self.answer("equilibrium", self.write(beam))["signals"]["tip_z"]
        # Bending and shear. The deflection is 1.3e-4 of the length: its square is left out.
        flexibility = length**3 / 300 + length / 4e5
        self.assertAlmostEqual(tip / (force * flexibility), 1, delta=1e-6)
        # A bushing that holds the tip softly, as the beam does, and hard.
        for stiffness in (1e-3, 1 / flexibility, 1e6):
            with self.subTest(stiffness=stiffness):
                beam["forces"] = [{"name": "soft", "bushing": {
                    "body_1": f"beam.{elements}", "body_2": "ground", "point_1": [length / elements / 6, 0, 0],
                    "point_2": [length, 0, 0], "stiffness": [stiffness] * 3}}]
                tip = self.answer("equilibrium", self.write(beam))["signals"]["tip_z"]
                self.assertAlmostEqual(tip * (1 / flexibility + stiffness) / force, 1, delta=1e-6)  # as above

    def test_a_curved_beam_bends_far_in_load_steps(self):
        # Bathe and Bolourchi, inches and pounds; the displacement of the tip by a converged mesh.
        elements, radius, force, converged = 8, 100.0, 600.0, (-23.561297, 13.605023, 53.476108)
        arc = [[radius * math.sin(math.pi / 4 * k / elements), radius * (math.cos(math.pi / 4 * k / elements) - 1), 0]
               for k in range(elements + 1)]
        beam = self.write(loaded_beam(arc, elements, [1e7, 4.16667e6, 4.16667e6, 8.333e5, 8.333e5, 8.333e5], force))
        tips = []
        for steps in (1, 20):
            answer = self.answer("equilibrium", beam, "--load-steps", steps)
            self.assertEqual(answer["unstable"], 0)
            self.assertGreaterEqual(len(answer["steps"]), steps)
            tips.append([answer["signals"][f"tip_{axis}"] - arc[-1][i] for i, axis in enumerate("xyz")])
        self.assertLess(math.dist(tips[0], tips[1]), 1e-6)  # one equilibrium, whatever the steps
        self.assertLess(math.dist(tips[1], converged), 0.02)  # of a displacement of 60; 8 elements: 0.0083

    def test_files_hold_the_matrices_with_their_names(self):
        out = self.folder / "linear"
        run = tactus("analyse", "linearize", self.write(crane()), "--out", out)
        self.assertEqual(run.returncode, OK, run.stderr)
        rows = self.rows(out / "A.csv")
        self.assertEqual(rows[0], ["rate of", "rail.travel", "hook.angle", "rail.travel_rate", "hook.rate"])
        self.assertEqual(rows[1][0], "rail.travel")
        self.assertEqual(self.rows(out / "B.csv")[0], ["rate of", "push"])
        modes = self.folder / "modes"
        self.assertEqual(tactus("analyze", "modes", self.write(crane()), "--out", modes).returncode, OK)
        self.assertEqual(len(self.rows(modes / "shapes.csv")), 1 + 12)

    def test_a_full_disk_leaves_the_earlier_files_as_they_were(self):
        out = self.folder / "linear"
        command = [PROGRAM, "analyse", "linearize", self.write(crane()), "--out", out]
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, OK)
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        # No file may be longer than half of A.csv, as on a disk that is full; SIGXFSZ is ignored, as Python does.
        limit = len(before["A.csv"]) // 2
        done = subprocess.run(command, capture_output=True, text=True, restore_signals=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("A.csv: cannot be written", done.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in out.iterdir()}, before)

    def test_tyres_of_a_standing_car_carry_its_weight_and_the_written_model_rests(self):
        out = self.folder / "resting.json"
        answer = self.answer("equilibrium", "sedan", "--initial", "standing", "--signals", "tyre_*.load", "--out", out)
        model = json.loads(tactus("model", "print", "sedan").stdout)
        weight = G * sum(part["mass"] for part in model["bodies"])
        loads = [value for name, value in answer["signals"].items() if name.endswith(".load")]
        self.assertEqual(len(loads), 4)
        self.assertAlmostEqual(sum(loads) / weight, 1, delta=1e-3)  # the air load and gravity of the model
        self.assertEqual(answer["unstable"], 0)
        self.assertGreater(answer["indifferent"], 0)  # place and heading on a flat road
        run = tactus("run", out, "--initial", "equilibrium", "--until", "100ms", "--json")
        self.assertEqual(run.returncode, OK, run.stderr)
        again = self.answer("linearize", out, "--initial", "equilibrium")
        self.assertLess(again["largest_rate"], 1e-3)  # m/s^2: 1e-6 of the largest load, on the lightest body

    def test_an_equilibrium_in_a_singular_pose_is_a_finding(self):
        # The rods of the parallelogram hang on one line: 17 of 20 rows are independent elsewhere, 16 there.
        answer = self.answer("equilibrium", "four_bar", code=FINDING)
        self.assertEqual((answer["singular"], answer["rank"], answer["rank_at_start"]), (True, 16, 17))
        run = tactus("analyse", "equilibrium", "four_bar")
        self.assertEqual(run.returncode, FINDING, run.stderr)
        line = next(line for line in run.stdout.splitlines() if line.startswith("singular pose"))
        self.assertIn("rank 16 here and 17", line)
        self.assertFalse(self.answer("equilibrium", "motor_four_bar")["singular"])

    def test_a_response_has_the_gain_of_the_closed_form(self):
        answer = self.answer("response", self.write(crane()), "--from", 1, "--to", 1, "--points", 1)
        mass, load, length, inertia = 5.0, 2.0, 1.5, 0.1
        a, b, c = mass + load, -load * length, inertia + load * length**2
        s2, k = -(2 * math.pi)**2, load * G * length
        gain = -b * s2 / (a * s2 * (c * s2 + k) - b * b * s2 * s2)
        self.assertAlmostEqual(answer["response"][0]["real"][0][0] / gain, 1, delta=1e-8)  # round-off of differences

    def test_a_trim_holds_a_pendulum_by_a_torque(self):
        model = crane()
        model["name"] = "held"
        model["actuators"].append({"name": "hold", "joint_torque": {"joint": "hook"}})
        model["forces"] = [{"name": "stop", "translational_spring": {
            "body_1": "ground", "body_2": "trolley", "point_1": [-1, 0, 0], "point_2": [0, 0, 0], "stiffness": 1e4}}]
        answer = self.answer("trim", self.write(model), "--require", "swing=0.3", "--free", "hold")
        self.assertAlmostEqual(abs(answer["inputs"]["hold"]), 2 * G * 1.5 * math.sin(0.3), delta=1e-5)  # kMet

    def test_a_trim_beyond_the_range_of_an_input_is_printed_and_not_written(self):
        model = crane()
        model["forces"] = [{"name": "stop", "translational_spring": {
            "body_1": "ground", "body_2": "trolley", "point_1": [-1, 0, 0], "point_2": [0, 0, 0], "stiffness": 1e4,
            "free_length": 1}}]
        model["actuators"][0] |= {"minimum": -100, "maximum": 100}
        model["sensors"].append({"name": "place", "point_position": {"body": "trolley", "point": [0, 0, 0], "direction": [1, 0, 0]}})
        written = os.path.join(self.folder, "trim.json")
        run = tactus("analyse", "trim", self.write(model), "--require", "place=0.5", "--free", "push", "--out", written, "--json")
        self.assertEqual(run.returncode, FINDING, run.stderr)
        self.assertAlmostEqual(json.loads(run.stdout)["inputs"]["push"], 5e3, delta=1e-2)  # kMet
        self.assertIn("not written: input 'push' is beyond its range", run.stderr)
        self.assertFalse(os.path.exists(written))

    def test_a_trim_finds_the_throttle_of_a_steady_speed(self):
        answer = self.answer("trim", "sedan", "--initial", "driving_10", "--moving", "--input", "gear_ratio=1",
                             "--require", "speed=12", "--require", "yaw_rate=0", "--free", "throttle,steering")
        self.assertAlmostEqual(answer["signals"]["speed"], 12, delta=1e-6)  # kMet, relative to 12
        self.assertAlmostEqual(answer["inputs"]["steering"], 0, delta=1e-9)  # the car is symmetric
        self.assertGreater(answer["inputs"]["throttle"], 0)
        self.assertEqual(answer["out_of_range"], [])

    def test_a_drive_that_swings_makes_no_steady_state(self):
        # At the middle of its swing it has no acceleration, and the pendulum none either.
        model = crane()
        model["name"] = "shaken"
        model["drives"] = [{"name": "shaker", "travel": {"joint": "rail"},
                            "harmonic": {"amplitude": 0.3, "angular_frequency": 5}}]
        for part in model["bodies"]:
            part["velocity"] = [1.5, 0, 0]
        path = self.write(model)
        answer = self.answer("modes", path, code=FINDING)
        self.assertFalse(answer["equilibrium"])
        self.assertTrue(answer["moves"])
        run = tactus("analyse", "modes", path)
        self.assertEqual(run.returncode, FINDING, run.stderr)
        line = next(line for line in run.stdout.splitlines() if line.startswith("no equilibrium"))
        self.assertIn("drive 'shaker' changes its rate", line)
        for words in ((), ("--moving",)):
            self.assertIn("drive 'shaker' changes its rate", self.refusal("trim", path, "--require", "swing=0", *words))

    def test_what_cannot_be_analyzed_is_refused_with_a_way_out(self):
        path = self.write(crane())
        free = {"name": "free", "gravity": [0, 0, -G], "bodies": [body("stone", 1, 1, [0, 0, 0])]}
        cases = [
            (("equilibrium", self.write(free)), ["no equilibrium", "'stone' would move with 9.81 m/s^2", "hold"]),
            (("modes", "four_bar", "--equilibrium"), ["singular or beside a singular one", "choose a pose"]),
            (("linearize", path, "--input", "pusch=1"), ["'pusch'", "did you mean 'push'"]),
            (("linearize", path, "--input", "push=nan"), ["push=nan", "must be from"]),
            (("response", path, "--input", "push=inf"), ["push=inf", "must be from"]),
            (("trim", path, "--require", "swing=nan"), ["swing=nan", "finite"]),
            (("linearize", path, "--outputs", "swnig"), ["swnig"]),
            (("response", path, "--from", "0"), ["--from 0"]),
            (("response", path, "--to", "inf"), ["--to inf", "finite"]),
            (("response", path, "--to", "1e308"), ["--to 1e+308", "finite"]),
            (("trim", path, "--require", "swing=0.3"), ["no trim was found", "free another input"]),
            (("trim", "sedan", "--require", "speed=10", "--free", "throttle"),
             ["speed (m/s) is still off by -10;", "for a vehicle that drives, allow motion (--moving"]),
            (("trim", path, "--require", "swing=0.3", "--free", "pull"), ["--free pull", "did you mean 'push'"]),
            (("equilibrium", path, "--out", "model.txt"), [".json"]),
            (("response", path, "--points", "1"), ["--points 1", "at least two"]),
            (("trim", path, "--require", "swing=0.3", "--free", "push,push"), ["--free push", "named twice"]),
        ]
        for words, parts in cases:
            with self.subTest(words=words):
                message = self.refusal(*words)
                for part in parts:
                    self.assertIn(part, message)

    def test_an_interrupt_ends_an_analysis(self):
        for words in (("linearize", "chain:n=256"), ("modes", "chain:n=256"), ("equilibrium", "cantilever:n=512"),
                      ("response", "chain:n=256", "--outputs", "energy.total"),
                      ("trim", "cantilever:n=512", "--require", "energy.total=0")):
            # A shell that starts the tests in the background has its programs ignore the signal.
            run = subprocess.Popen([PROGRAM, "analyse", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            with self.subTest(words=words), run:
                self.addCleanup(run.kill)
                while self.processor_time(run) < 0.2:  # it computes
                    self.assertIsNone(run.poll())
                run.send_signal(signal.SIGINT)
                self.assertEqual(run.wait(timeout=280), -signal.SIGINT)  # and not the end of the work

    @staticmethod
    def processor_time(process):
        """Seconds that a process has used."""
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()
