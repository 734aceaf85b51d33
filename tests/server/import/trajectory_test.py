"""Models of MJCF move as in MuJoCo: imported with `tactus model import`, run with `tactus run`, compared with trajectories of
MuJoCo (make_trajectories.py), over 1 s without inputs and with random ones. Usage: trajectory_test.py PROGRAM"""
# Covers: server/import/mjcf.cpp, server/import/mjcf_element.cpp, server/import/mjcf_geom.cpp, server/import/mjcf_relations.cpp
# Covers: server/import/joint_loads.cpp, server/import/link_tree.cpp

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
STEPS = (100, 50)  # us

# Largest difference of a position (m) or of a component of a quaternion, over 1 s, and why.
TOLERANCES = {
    "pendulum": 5e-8,  # the step is of second order
    "arm": 5e-5,  # as above; servos whose inputs jump
    "walker": 5e-6,  # bodies of 1e-5 of the mass between the joints of a leg
    "four_bar": 3e-4,  # MuJoCo's connect and coupling yield
}


def tactus(*words):
    result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=280)
    if result.returncode != 0:
        raise AssertionError(f"tactus {' '.join(map(str, words))}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def table(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(field) for field in row] for row in rows[1:]]


def shifted(source, target, step):
    """Inputs that hold from the time of their row, where a row here holds from the step that ends at its time."""
    header, rows = table(source)
    with open(target, "w") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            time = row[0] + step if row[0] > 0 else 0
            file.write(",".join(repr(round(value, 9)) for value in [time, *row[1:]]) + "\n")


def extrapolated(coarse, fine):
    """Two trajectories of steps of ratio 2, without the part of their error that is proportional to the step: a load that
    jumps is averaged over the step in which it does."""
    return coarse[0], [[2 * b - a for a, b in zip(*pair)] for pair in zip(coarse[1], fine[1])]


def worst_difference(ours, theirs):
    """Largest difference over all bodies that both have; a quaternion and its opposite are one rotation."""
    header, rows = ours
    reference_header, reference = table(theirs)
    column = {name: k for k, name in enumerate(header)}
    bodies = [name[:-2] for name in reference_header if name.endswith(".x") and f"{name[:-2]}.r.x" in column]
    by_time = {round(row[0], 6): row for row in rows}
    worst = 0.0
    for row in reference:
        own = by_time[round(row[0], 6)]
        value = dict(zip(reference_header, row))
        for body in bodies:
            for axis in "xyz":
                worst = max(worst, abs(own[column[f"{body}.r.{axis}"]] - value[f"{body}.{axis}"]))
            p = [own[column[f"{body}.p.e{k}"]] for k in range(4)]
            q = [value[f"{body}.e{k}"] for k in range(4)]
            sign = 1 if sum(a * b for a, b in zip(p, q)) > 0 else -1
            worst = max(worst, *(abs(a - sign * b) for a, b in zip(p, q)))
    return worst, len(bodies)


class TrajectoryTest(unittest.TestCase):
    def compare(self, model, bodies):
        with tempfile.TemporaryDirectory() as folder:
            imported, inputs, out = (pathlib.Path(folder, name) for name in ("model.json", "inputs.csv", "out.csv"))
            tactus("model", "import", HERE / "models" / f"{model}.xml", "--out", imported)
            tactus("model", "check", imported)
            for case in ("free", "driven"):
                with self.subTest(case):
                    results = []
                    for step in STEPS:
                        words = []
                        if case == "driven":
                            shifted(HERE / "trajectories" / f"{model}_inputs.csv", inputs, step * 1e-6)
                            words = ["--inputs", inputs]
                        tactus("run", imported, "--until", "1s", "--step", f"{step}us", "--iterations", 5, "--every", 100_000 // step,
                               "--signals", "*.r.*,*.p.*", "--out", out, *words)
                        results.append(table(out))
                    ours = extrapolated(*results)
                    worst, count = worst_difference(ours, HERE / "trajectories" / f"{model}_{case}.csv")
                    print(f"{model}, {case}: {worst:.3g}")
                    self.assertEqual(count, bodies)
                    self.assertLess(worst, TOLERANCES[model])

    def test_pendulum_with_springs_and_a_geared_motor(self):
        self.compare("pendulum", 2)

    def test_arm_with_servos_and_an_armature(self):
        self.compare("arm", 7)

    def test_free_walker_with_several_joints_in_a_body(self):
        self.compare("walker", 6)

    def test_closed_loop_with_coupled_wheels(self):
        self.compare("four_bar", 5)

    def test_the_included_file_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            imported = pathlib.Path(folder, "model.json")
            tactus("model", "import", HERE / "models" / "arm.xml", "--out", imported)
            springs = {f["name"]: f for f in json.loads(imported.read_text())["forces"]}
            self.assertEqual(springs["a1_spring"]["rotational_spring"]["stiffness"], 60)
            self.assertEqual(springs["a5_spring"]["rotational_spring"]["stiffness"], 20 * 1.5**2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
