"""`tactus model import` of URDF against kinematics, masses and composite inertias that are worked out here, in NumPy, on an arm
of seven axes and on humanoids of random links. Usage: urdf_test.py PROGRAM"""
# Covers: server/cli/model_import.cpp, server/import/urdf.cpp, server/import/link_tree.cpp

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np

PROGRAM = sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
ARM = HERE / "models" / "seven_axis.urdf"
# Tolerance: round-off of products of thirty rotations.
ROUND_OFF = 1e-12


def tactus(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=280)


def numbers(element, attribute, default):
    return np.array([float(word) for word in (element.get(attribute, default) if element is not None else default).split()])


def turn(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def frame_of(element):
    """4 x 4 matrix of an <origin>."""
    roll, pitch, yaw = numbers(element, "rpy", "0 0 0")
    frame = np.eye(4)
    frame[:3, :3] = turn(np.array([0, 0, 1.0]), yaw) @ turn(np.array([0, 1.0, 0]), pitch) @ turn(np.array([1.0, 0, 0]), roll)
    frame[:3, 3] = numbers(element, "xyz", "0 0 0")
    return frame


def inertial_of(link):
    """Mass, center and inertia about it, in axes of the link."""
    inertial = link.find("inertial")
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    frame = frame_of(inertial.find("origin"))
    t = {k: float(v) for k, v in inertial.find("inertia").attrib.items()}
    xy, xz, yz = (t.get(name, 0.0) for name in ("ixy", "ixz", "iyz"))
    tensor = np.array([[t["ixx"], xy, xz], [xy, t["iyy"], yz], [xz, yz, t["izz"]]])
    r = frame[:3, :3]
    return float(inertial.find("mass").get("value")), frame[:3, 3], r @ tensor @ r.T


def expected(path, values):
    """For each link that moves: mass, center and inertia (world axes) of it with all that is fixed to it."""
    root = ElementTree.parse(path).getroot()
    links = {link.get("name"): link for link in root.findall("link")}
    above = {joint.find("child").get("link"): joint for joint in root.findall("joint")}

    def pose(name):
        joint = above.get(name)
        if joint is None:
            return np.eye(4)
        frame = pose(joint.find("parent").get("link")) @ frame_of(joint.find("origin"))
        axis, q = numbers(joint.find("axis"), "xyz", "1 0 0"), values.get(joint.get("name"), 0.0)
        motion = np.eye(4)
        if joint.get("type") in ("revolute", "continuous"):
            motion[:3, :3] = turn(axis, q)
        elif joint.get("type") == "prismatic":
            motion[:3, 3] = q * axis / np.linalg.norm(axis)
        return frame @ motion

    def carrier(name):
        while name in above and above[name].get("type") == "fixed":
            name = above[name].find("parent").get("link")
        return name

    parts = {}
    for name, link in links.items():
        frame = pose(name)
        mass, center, tensor = inertial_of(link)
        r = frame[:3, :3]
        parts.setdefault(carrier(name), []).append((mass, r @ center + frame[:3, 3], r @ tensor @ r.T))
    bodies = {}
    for name, entries in parts.items():
        mass = sum(entry[0] for entry in entries)
        if mass == 0:
            continue
        center = sum(entry[0] * entry[1] for entry in entries) / mass
        tensor = sum(
            j + m * (np.dot(c - center, c - center) * np.eye(3) - np.outer(c - center, c - center)) for m, c, j in entries
        )
        bodies[name] = (mass, center, tensor)
    return bodies, carrier


def rotation(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def humanoid(source):
    """A pelvis with a torso, a head, arms and legs: 26 joints of random frames, axes and masses, feet and hands fixed on."""
    chains = {"torso": ("pelvis", 3), "head": ("torso_3", 2), "left_arm": ("torso_3", 4), "right_arm": ("torso_3", 4),
              "left_leg": ("pelvis", 6), "right_leg": ("pelvis", 6)}

    def triple(size):
        return " ".join(f"{source.uniform(-size, size):.6f}" for _ in range(3))

    def link(name):
        # A sum of two moments is above the third.
        moments = [source.uniform(0.01, 0.019) for _ in range(3)]
        return (f'<link name="{name}"><inertial><origin xyz="{triple(0.1)}" rpy="{triple(1)}"/><mass value="{source.uniform(0.5, 4):.6f}"/>'
                f'<inertia ixx="{moments[0]:.6f}" iyy="{moments[1]:.6f}" izz="{moments[2]:.6f}"/></inertial></link>\n')

    text, values = link("pelvis"), {}
    for chain, (parent, count) in chains.items():
        for k in range(1, count + 1):
            name = f"{chain}_{k}"
            values[f"{name}_joint"] = round(source.uniform(-1, 1), 6)
            text += link(name) + (f'<joint name="{name}_joint" type="revolute"><parent link="{parent}"/><child link="{name}"/>'
                                  f'<origin xyz="{triple(0.3)}" rpy="{triple(3)}"/><axis xyz="{triple(1)}"/>'
                                  f'<limit lower="-2" upper="2" effort="50" velocity="5"/></joint>\n')
            parent = name
        text += link(f"{chain}_end") + (f'<joint name="{chain}_fix" type="fixed"><parent link="{parent}"/><child link="{chain}_end"/>'
                                        f'<origin xyz="{triple(0.1)}" rpy="{triple(3)}"/></joint>\n')
    return f'<robot name="humanoid">\n{text}</robot>\n', values


class UrdfTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def imported(self, path, *words):
        out = self.folder / "model.json"
        result = tactus("model", "import", path, "--out", out, *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        checked = tactus("model", "check", out)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertNotIn("violates", checked.stdout)
        return json.loads(out.read_text())

    def compare(self, model, path, values, ground):
        bodies, carrier = expected(path, values)
        made = {body["name"]: body for body in model["bodies"]}
        self.assertEqual(set(made), set(bodies) - {ground})
        for name, body in made.items():
            mass, center, tensor = bodies[name]
            j = {k: body["inertia"].get(k, 0.0) for k in ("xx", "yy", "zz", "xy", "xz", "yz")}
            own = np.array([[j["xx"], j["xy"], j["xz"]], [j["xy"], j["yy"], j["yz"]], [j["xz"], j["yz"], j["zz"]]])
            r = rotation(body.get("orientation", [1, 0, 0, 0]))
            self.assertLess(abs(body["mass"] - mass), ROUND_OFF)
            self.assertLess(np.abs(np.array(body["position"]) - center).max(), ROUND_OFF, name)
            self.assertLess(np.abs(r @ own @ r.T - tensor).max(), ROUND_OFF, name)

    def test_arm_stands_as_its_joints_say(self):
        values = {"axis_1": 0.3, "axis_2": -0.5, "axis_3": 1.1, "axis_4": -1.7, "axis_5": 0.4, "axis_6": 1.9, "axis_7": -0.8,
                  "left_grip": 0.02}
        words = [word for name, value in values.items() for word in ("--start", f"{name}={value}")]
        model = self.imported(ARM, *words)
        self.compare(model, ARM, {**values, "right_grip": 0.02}, "world")
        angles = {j["name"]: j["revolute"].get("initial_angle", 0) for j in model["joints"] if "revolute" in j}
        self.assertEqual(angles, {name: value for name, value in values.items() if name.startswith("axis")})
        self.assertEqual({a["name"]: a.get("maximum") for a in model["actuators"]}["axis_7_torque"], 14)

    def test_zero_outside_of_the_limits_starts_at_the_limit(self):
        model = self.imported(ARM)
        self.compare(model, ARM, {"axis_4": -0.1}, "world")

    def test_humanoids_of_random_links(self):
        for seed in range(3):
            with self.subTest(seed=seed):
                text, values = humanoid(random.Random(seed))
                path = self.folder / "humanoid.urdf"
                path.write_text(text)
                words = [word for name, value in values.items() for word in ("--start", f"{name}={value}")]
                model = self.imported(path, "--base", "free", *words)
                self.assertEqual(len(model["bodies"]), 26)
                self.assertEqual(len(model["joints"]), 25)
                self.compare(model, path, values, None)

    def test_fingers_follow_each_other_in_a_run(self):
        model = self.folder / "model.json"
        self.imported(ARM)
        out = self.folder / "out.csv"
        result = tactus("run", model, "--until", "200ms", "--iterations", 4, "--every", 100, "--signals", "*.travel", "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = out.read_text().splitlines()
        last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
        # Tolerance: the compliance of constraint rows.
        self.assertLess(abs(last["left_grip.travel"] - last["right_grip.travel"]), 1e-6)

    def test_limits_hold_a_joint_that_its_input_drives_against_them(self):
        model, inputs, out = (self.folder / name for name in ("model.json", "inputs.csv", "out.csv"))
        self.imported(ARM)
        inputs.write_text("t,axis_1_torque\n0,9\n")
        result = tactus("run", model, "--until", "2s", "--iterations", 4, "--every", 10, "--signals", "axis_1.angle,axis_1.rate,left_grip.travel",
                        "--inputs", inputs, "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [list(map(float, line.split(","))) for line in out.read_text().splitlines()[1:]]
        self.assertGreater(max(row[1] for row in rows), 2.9)
        # Bound: a stop is a spring of inertia (100 rad/s)^2 with damping; without damping it would yield by rate / (100 rad/s).
        fastest = max(row[2] for row in rows)
        self.assertLess(max(row[1] for row in rows) - 2.9, fastest / 100)
        # Tolerance: a tenth of the range of the finger, which its stop yields.
        self.assertTrue(all(-0.004 < row[3] < 0.044 for row in rows))

    def test_report_in_words_and_as_json(self):
        report = self.folder / "report.json"
        result = tactus("model", "import", ARM, "--out", self.folder / "model.json", "--report", report)
        self.assertEqual(result.returncode, 0, result.stderr)
        losses = json.loads(report.read_text())["losses"]
        lines = ARM.read_text().splitlines()
        for loss in losses:
            # Each loss stands in the line that it names.
            tag = loss["element"].split("/")[-1].lstrip("@").split(" ")[0]
            self.assertIn(tag, lines[loss["line"] - 1], loss)
        kinds = {loss["kind"] for loss in losses}
        self.assertEqual(kinds, {"dropped", "approximated", "defaulted"})
        collision = next(loss for loss in losses if loss["element"].endswith("collision"))
        self.assertEqual(collision["changes"], "motion")
        words = tactus("model", "import", ARM, "--out", self.folder / "model.json", "--report")
        self.assertIn("dropped: link \"pedestal\"/collision: contacts are not simulated", words.stdout)

    def test_exit_codes(self):
        out = self.folder / "model.json"
        self.assertEqual(tactus("model", "import", ARM, "--out", out, "--strict").returncode, 1)
        self.assertEqual(tactus("model", "import", self.folder / "none.urdf").returncode, 2)
        wrong = tactus("model", "import", ARM, "--out", out, "--start", "axis_9=1")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean", wrong.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
