#!/usr/bin/python3
"""hmmwv.csv, hmmwv_h10.csv, hmmwv_stiff.csv: the off-road vehicle of [RN] over a half-cylinder at 4.4704 m/s.

Coordinates: cartesian.py; Radau's method, because the struts make the system stiff. Masses, points and rates are read
from the model files; rows, springs, tyres and the road are computed here. A tyre is a vertical spring under a rolling
disc, which sees the envelope z(x) = max(0, sqrt((R + r)^2 - (x - x_b)^2) - R) of the half-cylinder. Steps are at most
10 ms long, or the method would step over the bump. `hmmwv_stiff` has the four struts 53 times as stiff and damped, which
gives the dominant eigenvalue of the paper, -2.6e5 1/s.
"""
import json

import numpy as np

import reference_file
from cartesian import Mechanism, cross, dot

MODELS = reference_file.FOLDER.parents[1] / "server" / "models"
ROLLED = 4 * 4.4704  # m; the time of the files begins after 4 s of rolling


class Vehicle:
    def __init__(self, name, struts=1):
        self.struts = struts
        self.model = json.loads((MODELS / f"{name}.json").read_text())
        self.mechanism = m = Mechanism(self.model["gravity"])
        bodies = self.model["bodies"]
        for body in bodies:
            m.body(body["name"], body["mass"], [body["inertia"][axis] for axis in ("xx", "yy", "zz")])
        for joint in self.model["joints"]:
            self.add(joint)
        for force in self.model["forces"]:
            m.load(self.spring(force["translational_spring"]) if "translational_spring" in force else
                   self.tyre(force["vertical_tyre"]))
        still = np.zeros((len(bodies), 3))
        self.start = m.state([b["position"] for b in bodies], [b["orientation"] for b in bodies],
                             [b["velocity"] for b in bodies], still)

    def add(self, joint):
        m, one, two = self.mechanism, joint["body_1"], joint["body_2"]
        kind = next(value for value in joint.values() if isinstance(value, dict))
        points = kind["point_1"], kind["point_2"]
        if "spherical" in joint:
            m.point(one, points[0], two, points[1])
        elif "revolute" in joint:
            m.revolute(one, points[0], np.array(kind["axis_1"], float), two, points[1], np.array(kind["axis_2"], float))
        elif "distance" in joint:
            m.distance(one, points[0], two, points[1])
        else:  # The rack slides along y and is held, so it is fixed to the chassis.
            m.point(one, points[0], two, points[1])
            for first, second in (([1, 0, 0], [0, 1, 0]), ([1, 0, 0], [0, 0, 1]), ([0, 1, 0], [0, 0, 1])):
                m.dot(one, first, two, second)

    def spring(self, spring):
        one, two = (self.mechanism.index(spring[f"body_{side}"]) for side in "12")
        point_1, point_2 = np.array(spring["point_1"], float), np.array(spring["point_2"], float)
        factor = self.struts if spring["stiffness"] > 1e7 else 1

        def load(poses):
            first, second = poses[one], poses[two]
            arm_1, arm_2 = first.R @ point_1, second.R @ point_2
            line = second.r + arm_2 - first.r - arm_1
            length = np.sqrt(dot(line, line))
            along = line / length[:, None]
            rate = dot(along, second.v + cross(second.w, arm_2) - first.v - cross(first.w, arm_1))
            tension = factor * (spring["stiffness"] * (length - spring["free_length"]) + spring["damping"] * rate)
            pull = tension[:, None] * along
            return [(one, pull, arm_1), (two, -pull, arm_2)]

        return load

    def tyre(self, tyre):
        body, center = self.mechanism.index(tyre["body"]), np.array(tyre["centre"], float)
        bump = self.model["roads"][0]["half_cylinders"][0]
        radius = tyre["radius"]

        def load(poses):
            pose = poses[body]
            arm = pose.R @ center
            place, speed = pose.r + arm, pose.v + cross(pose.w, arm)
            along = place[:, 0] - bump["position"]
            disc = np.sqrt(np.maximum((radius + bump["radius"]) ** 2 - along**2, radius**2))
            height, slope = disc - radius, np.where(disc > radius, -along / disc, 0.0)
            pressed = radius + height - place[:, 2]
            lift = tyre["stiffness"] * pressed - tyre["damping"] * (speed[:, 2] - slope * speed[:, 0])
            lift = np.where(pressed > 0, np.maximum(lift, 0.0), 0.0)
            return [(body, np.column_stack([0 * lift, 0 * lift, lift]), arm)]

        return load

    def columns(self, states, with_rate):
        poses = dict(zip(self.mechanism.names, self.mechanism.poses(states)))
        chassis = poses["chassis"]
        pitch = np.arctan2(-chassis.R[:, 2, 0], chassis.R[:, 0, 0])
        rate = [dot(chassis.R[:, :, 1], chassis.w)] if with_rate else []
        heights = [(wheel.r + wheel.R @ np.array([0, -0.03415, 0]))[:, 2]
                   for wheel in (poses["spindle_fr"], poses["spindle_rr"])]
        return np.column_stack([chassis.r[:, 0] + ROLLED, chassis.r[:, 2], chassis.v[:, 2], pitch, *rate, *heights])


def compute(times, name, with_rate, struts=1):
    vehicle = Vehicle(name, struts)
    states = vehicle.mechanism.run(vehicle.start, times, method="Radau", rtol=1e-6, atol=1e-8,
                                   max_step=0.01)
    return vehicle.columns(states, with_rate)


def case(name, with_rate):
    columns = ["chassis_x[m]", "chassis_z[m]", "chassis_vz[m/s]", "pitch[rad]"]
    columns += ["pitch_rate[rad/s]"] if with_rate else []
    columns += ["wheel_fr_z[m]", "wheel_rr_z[m]"]
    return reference_file.Case(name, columns, reference_file.samples(0.01, 5),
                               lambda times: compute(times, name, with_rate), checked_until=0.52, tolerance=5e-4,
                               tolerance_whole=5e-4, number="%.9e")


def stiff_case():
    return reference_file.Case("hmmwv_stiff", ["chassis_z[m]"], reference_file.samples(0.02, 4),
                               lambda times: compute(times, "hmmwv", False, 53)[:, 1:2], checked_until=0.1,
                               tolerance=5e-4, tolerance_whole=5e-4, number="%.9e")


if __name__ == "__main__":
    reference_file.main([case("hmmwv", True), case("hmmwv_h10", False), stiff_case()])
