#!/usr/bin/python3
"""Steps of the mechanisms of tests/bench/cases beside those of MuJoCo, in turns on one core.

    steps_beside_mujoco.py [CASE ...]

Needs MuJoCo (Debian: libmujoco-dev) and the module tactus._native. Each mechanism is written as MJCF: a tree of its
joints, and a soft `connect` at each point of a joint that closes a loop, two on the axis of a hinge; a rod is a tendon
of fixed length, a spring a tendon with stiffness and damping. A time is the median over the rounds: of the p50 of
step_benchmark with two iterations, and in MuJoCo of the mean of all steps. The error is
that of the worst center of mass after 1 s against RK4 of MuJoCo with steps of 50 us; for mechanisms with loops, which
MuJoCo closes softly, against steps of order 4 of 100 us.
"""

import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from rollout_beside_mujoco import BUILD, METHODS, ROOT, Mujoco, compiled, distance

import numpy as np
import tactus

CASES = ROOT / "tests/bench/cases"
STEP, STEPS, ROUNDS, FINER = 1e-3, 1000, 5, 20
FORMS = {"order 2": (), "order 3": ("--order", "3"), "order 4": ("--order", "4")}
GROUND = "ground"


def words(values):
    return " ".join(f"{value:.15g}" for value in values)


class Converter:
    """A model whose bodies are parallel to the world and at rest, as MJCF."""

    def __init__(self, model):
        self.model = model
        self.bodies = {body["name"]: body for body in model["bodies"]}
        self.root = xml.Element("mujoco", model=model["name"])
        xml.SubElement(self.root, "compiler", angle="radian", autolimits="true")
        xml.SubElement(self.root, "option", gravity=words(model.get("gravity", (0, 0, -9.81))))
        self.elements = {GROUND: xml.SubElement(self.root, "worldbody")}
        self.equality = xml.SubElement(self.root, "equality")
        self.tendon = xml.SubElement(self.root, "tendon")
        self.loops = 0

    def place(self, body):
        return np.array(self.bodies[body].get("position", (0, 0, 0)), dtype=float) if body != GROUND else np.zeros(3)

    def add_body(self, name, parent):
        spec = self.bodies[name]
        element = xml.SubElement(self.elements[parent], "body", name=name, pos=words(self.place(name) - self.place(parent)))
        inertia = spec["inertia"]
        xml.SubElement(element, "inertial", pos="0 0 0", mass=f"{spec['mass']:.15g}",
                       diaginertia=words(inertia[k] for k in ("xx", "yy", "zz")))
        self.elements[name] = element
        return element

    def site(self, body, point):
        name = f"site_{sum(1 for _ in self.root.iter('site'))}"
        xml.SubElement(self.elements[body], "site", name=name, pos=words(point))
        return name

    def add_tendon(self, element, **attributes):
        line = xml.SubElement(self.tendon, "spatial", name=f"tendon_{len(self.tendon)}", **attributes)
        for end in ("1", "2"):
            xml.SubElement(line, "site", site=self.site(element[f"body_{end}"], element[end]))
        return line.get("name")

    def connect(self, joint, anchor):
        ends = [joint["body_1"], joint["body_2"]]
        if ends[0] == GROUND:
            ends.reverse()
        bodies = {"body1": ends[0]} | ({"body2": ends[1]} if ends[1] != GROUND else {})
        xml.SubElement(self.equality, "connect", anchor=words(anchor - self.place(ends[0])), **bodies)

    def convert(self):
        rest = list(self.model["joints"])
        while rest:
            # Level by level: MuJoCo reads nothing that is nested more than some 90 deep.
            waiting, before = [], set(self.elements)
            for joint in rest:
                kind = next(key for key in ("revolute", "spherical", "distance") if key in joint)
                ends = [joint["body_1"], joint["body_2"]]
                known = [end in self.elements for end in ends]
                if kind == "distance" or not before.intersection(ends):
                    waiting.append(joint)
                    continue
                points = joint[kind]
                world = self.place(ends[0]) + np.array(points["point_1"])
                if all(known):
                    self.loops += 1
                    self.connect(joint, world)
                    if kind == "revolute":
                        self.connect(joint, world + 0.1 * np.array(points["axis_1"], dtype=float))
                    continue
                new = ends[known.index(False)]
                element = self.add_body(new, ends[known.index(True)])
                motion = {"type": "ball"} if kind == "spherical" else {"type": "hinge", "axis": words(points["axis_1"])}
                xml.SubElement(element, "joint", name=joint["name"], pos=words(world - self.place(new)), **motion)
            if len(waiting) == len(rest):  # nothing that is there holds the others: the next body is free
                free = [body for body in self.bodies if body not in self.elements]
                if not free:
                    break
                xml.SubElement(self.add_body(free[0], GROUND), "freejoint")
            rest = waiting
        for joint in rest:
            self.loops += 1
            ends = {"body_1": joint["body_1"], "body_2": joint["body_2"],
                    "1": joint["distance"]["point_1"], "2": joint["distance"]["point_2"]}
            xml.SubElement(self.equality, "tendon", tendon1=self.add_tendon(ends))
        for force in self.model.get("forces", ()):
            spring = force["translational_spring"]
            ends = {"body_1": spring["body_1"], "body_2": spring["body_2"], "1": spring["point_1"], "2": spring["point_2"]}
            self.add_tendon(ends, stiffness=f"{spring['stiffness']:.15g}", damping=f"{spring['damping']:.15g}",
                            springlength=f"{spring['free_length']:.15g}")
        return xml.tostring(self.root, encoding="unicode")


def step_time(case, options, folder):
    """Microseconds of a step, p50 of one run."""
    table = folder / "table.csv"
    command = [BUILD / "tests/bench/step_benchmark", case, "--iterations", "2", "--rounds", "1", "--steps", STEPS,
               *options, "--csv", table]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    (row,) = csv.DictReader(table.read_text().splitlines())
    return float(row["p50_us"])


def ours(model, bodies, step, ticks, **settings):
    outputs = [f"{body}.r.{axis}" for body in bodies for axis in "xyz"]
    simulation = tactus.Simulation(model, period=step, **settings)
    result = simulation.run(ticks, outputs=outputs, every=ticks)
    return dict(zip(bodies, np.asarray(result.values)[-1].reshape(-1, 3)))


def measure(name, program, folder):
    case = CASES / f"{name}.json"
    model = json.loads(case.read_text())
    converter = Converter(model)
    source = folder / f"{name}.xml"
    source.write_text(converter.convert())
    mujoco, nothing = Mujoco(program, source, folder), np.zeros((1, STEPS, 1))
    bodies = list(converter.bodies)
    if converter.loops:
        expected = ours(model, bodies, STEP / 10, 10 * STEPS, iterations=3, fourth_order=True)
    else:
        expected = mujoco.rollout("RK4", np.zeros((1, FINER * STEPS, 1)), 1, STEP / FINER)[1]
    times = {form: [] for form in (*FORMS, *METHODS)}
    errors, failures = {}, {}
    for _ in range(ROUNDS):
        for form, options in FORMS.items():
            times[form].append(step_time(case, options, folder))
        for method in METHODS:
            try:
                seconds, found = mujoco.rollout(method, nothing, 1)
            except subprocess.CalledProcessError as failure:
                failures[method] = (failure.stderr.strip() or failure.stdout.strip()).splitlines()[0]
                continue
            times[method].append(1e6 * seconds / STEPS)
            errors[method] = distance(found, expected)
    for order, form in zip((2, 3, 4), FORMS):
        settings = {"third_order": order == 3, "fourth_order": order == 4}
        errors[form] = distance(ours(model, bodies, STEP, STEPS, iterations=2, **settings), expected)
    cells = [f"{statistics.median(times[form]):.1f}, {errors[form]:.0e} m" if times[form] else "fails" for form in times]
    print(f"| {name}{f' ({converter.loops} closing)' if converter.loops else ''} | {' | '.join(cells)} |", flush=True)
    for method, text in failures.items():
        print(f"{name}: MuJoCo {method} fails: {text}", file=sys.stderr)


def main():
    names = sys.argv[1:] or ["arm7", "humanoid30", "tree1000", "small100", "ladder50", "ring100", "vehicle17"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = compiled(folder)
        print(f"| case | {' | '.join(FORMS)} | {' | '.join(f'MuJoCo {method}' for method in METHODS)} |")
        print("|---" * (1 + len(FORMS) + len(METHODS)) + "|", flush=True)
        for case in names:
            measure(case, program, folder)


if __name__ == "__main__":
    main()
