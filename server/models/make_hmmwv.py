#!/usr/bin/python3
"""Writes hmmwv.json and hmmwv_h10.json: the off-road vehicle of [RN] section 5.2, with free and with hinged upper arms.

    server/models/make_hmmwv.py                     writes both files
    server/models/make_hmmwv.py --check             says whether they are what this script makes
    server/models/make_hmmwv.py --settle PROGRAM    finds the rolling equilibrium again with build/release/tactus and
                                                    prints how far it is from hmmwv_equilibrium.csv

World axes: x forward, y to the left, z up; the road is z = 0. The origin lies under the middle of the wheelbase.
Geometry, masses and rates are public data of this kind of vehicle, because the report prints none.

The models begin in the equilibrium of rolling on the level road. hmmwv_equilibrium.csv holds that pose of every body as
10 s of rolling left it; it is data, because the last bits of a settled pose depend on the program that computed it.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import model_file
import shapes

SPEED = 4.4704  # m/s, 10 mph
AXLE = 1.688965  # m, distance of each axle's origin from the middle
PLANE = 0.4746  # m, height of the axles' origins over the road in the design position
TYRE = dict(radius=0.4699, stiffness=296325.0, damping=3502.0)
BUMP = 0.05  # m, radius of the half-cylinder; the front wheels meet it after half a second

# Masses (kg), principal inertias (kg m^2). The published 0.06276 of the upper and 0.8938 of the lower arm about z are
# more than a rigid body with the other two moments can have; straight motion does not depend on them.
CHASSIS = dict(mass=2086.52, inertia=dict(xx=1078.52, yy=2955.66, zz=3570.2))
UPPER = dict(mass=5.813, inertia=dict(xx=0.03, yy=0.03, zz=0.06))
LOWER = dict(mass=23.965, inertia=dict(xx=0.4, yy=0.4, zz=0.8))
SPINDLE = dict(mass=90.555, inertia=dict(xx=4.896, yy=7.581, zz=4.774))
RACK = dict(mass=9.072, inertia=dict(xx=0.607, yy=0.01, zz=0.607))
CHASSIS_CENTER = (0.056, 0.0, PLANE + 0.213)

# Hard points of the left wheels, from the origin of their axle. The right side is the mirror image.
FRONT = dict(
    x=AXLE, upper_pivot=(-0.158, 0.462, 0.2205), upper_ball=(-0.053, 0.716, 0.215),
    lower_pivot=(0.0, 0.307, 0.0), lower_center=(0.0, 0.547, -0.059), lower_ball=(-0.036, 0.787, -0.118),
    wheel=(-0.040, 0.910, -0.026), spindle=(-0.040, 0.87585, -0.026),
    tie_inner=(-0.250, 0.448, 0.054), tie_outer=(-0.176, 0.821, -0.016),
    coil_top=(0.104, 0.510, 0.197), coil_arm=(0.097, 0.543, -0.047), strut=0.25,
    coil=dict(stiffness=167062, damping=60068, free_length=0.312))
REAR = dict(
    x=-AXLE, upper_pivot=(0.213, 0.462, 0.226), upper_ball=(0.036, 0.716, 0.216),
    lower_pivot=(0.0, 0.307, 0.0), lower_center=(0.0, 0.547, -0.059), lower_ball=(0.036, 0.787, -0.118),
    wheel=(0.036, 0.910, -0.026), spindle=(0.036, 0.87585, -0.026),
    tie_inner=(0.223, 0.416, 0.059), tie_outer=(0.170, 0.821, -0.009),
    coil_top=(-0.104, 0.502, 0.256), coil_arm=(-0.097, 0.543, -0.047), strut=-0.25,
    coil=dict(stiffness=369149, damping=63921, free_length=0.336))
CORNERS = (("fr", FRONT, -1), ("fl", FRONT, 1), ("rr", REAR, -1), ("rl", REAR, 1))


def vec(point):
    """Rounded to a nanometre; a whole number without its decimal point."""
    rounded = [round(float(x), 9) + 0.0 for x in point]
    return [int(x) if x == int(x) else x for x in rounded]


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


class Corner:
    """One wheel with its arms: points and centers in the world, in the design position; side +1 left, -1 right."""

    def __init__(self, name, spec, side):
        self.name, self.spec, self.side = name, spec, side
        self.centers = dict(chassis=CHASSIS_CENTER, lower_arm=self.point("lower_center"),
                            upper_arm=self.middle("upper_pivot", "upper_ball"), spindle=self.point("spindle"),
                            rack=(AXLE + FRONT["tie_inner"][0], 0.0, PLANE + FRONT["tie_inner"][2]))

    def point(self, key):
        x, y, z = self.spec[key]
        return (self.spec["x"] + x, self.side * y, PLANE + z)

    def middle(self, one, other):
        return tuple(0.5 * (a + b) for a, b in zip(self.point(one), self.point(other)))

    def on(self, part, key):
        """A hard point in the axes of a part, from its center of mass."""
        return vec(minus(self.point(key), self.centers[part]))

    def body(self, part):
        return part if part in ("chassis", "rack") else f"{part}_{self.name}"

    def between(self, name, part_1, part_2, key_1, key_2=None):
        """Names and points of a joint or force between two parts."""
        return dict(name=f"{name}_{self.name}", body_1=self.body(part_1), body_2=self.body(part_2)), dict(
            point_1=self.on(part_1, key_1), point_2=self.on(part_2, key_2 or key_1))

    def joints(self, hinged):
        along = dict(axis_1=[1, 0, 0], axis_2=[1, 0, 0])
        names, points = self.between("upper_pivot", "chassis", "upper_arm", "upper_pivot")
        yield names | (dict(revolute=points | along) if hinged else dict(spherical=points))
        names, points = self.between("upper_ball", "upper_arm", "spindle", "upper_ball")
        yield names | dict(spherical=points)
        names, points = self.between("lower_pivot", "chassis", "lower_arm", "lower_pivot")
        yield names | dict(revolute=points | along)
        names, points = self.between("lower_ball", "lower_arm", "spindle", "lower_ball")
        yield names | dict(spherical=points)
        holder = "rack" if self.spec is FRONT else "chassis"
        names, points = self.between("tie_rod", holder, "spindle", "tie_inner", "tie_outer")
        yield names | dict(distance=points | dict(length=math.dist(self.point("tie_inner"), self.point("tie_outer"))))

    def forces(self):
        coil, points = self.between("coil", "chassis", "lower_arm", "coil_top", "coil_arm")
        yield dict(name=coil.pop("name"), translational_spring=coil | points | self.spec["coil"])
        center = self.centers["upper_arm"]
        ahead = (center[0] + self.spec["strut"], center[1], center[2])
        yield dict(name=f"strut_{self.name}", description="Holds the upper arm lengthwise; very stiff.",
                   translational_spring=dict(
                       body_1="chassis", body_2=self.body("upper_arm"), point_1=vec(minus(ahead, CHASSIS_CENTER)),
                       point_2=[0, 0, 0], stiffness=2e7, damping=2e6, free_length=abs(self.spec["strut"])))
        yield dict(name=f"tyre_{self.name}", vertical_tyre=dict(
            road="road", body=self.body("spindle"), centre=self.on("spindle", "wheel")) | TYRE)

    def sensor(self):
        return dict(name=f"wheel_height_{self.name}", description="Wheel center above the road.", point_position=dict(
            body=self.body("spindle"), point=self.on("spindle", "wheel"), direction=[0, 0, 1]))


def looks_of_chassis():
    """Shapes of the chassis, from its center of mass."""
    middle, _, down = CHASSIS_CENTER
    body = lambda corners: [(x - middle, z - down) for x, z in corners]
    radius = 1.2 * TYRE["radius"]
    lower = [(-2.30, 0.72)]
    for axle in (REAR, FRONT):
        lower += shapes.arch(axle["x"] + axle["wheel"][0], PLANE + axle["wheel"][2], radius, 0.60)
    lower += [(2.32, 0.72), (2.34, 1.10), (0.98, 1.32), (-2.30, 1.32)]
    cabin = [(0.98, 1.32), (0.60, 1.80), (-1.05, 1.80), (-1.15, 1.32)]
    bed = [(-1.20, 1.32), (-1.05, 1.78), (-2.20, 1.62), (-2.30, 1.32)]
    paint = (0.62, 0.55, 0.38)
    (front_x, front_z), (rear_x, rear_z) = body([(2.33, 0.95), (-2.30, 1.10)])
    return shapes.car_body(body(lower), body(cabin), 0.05, 1.60, 1.56, paint) + [
        shapes.side_prism("cover of the bed", body(bed), 1.56, color=(0.45, 0.41, 0.30))] + shapes.lights(
            (front_x, front_z), (rear_x, rear_z), 0.62, (0.06, 0.18, 0.18))


def bodies_of(corners):
    """Bodies without their poses, and the center of each in the design position."""
    sides = dict(fr="front right", fl="front left", rr="rear right", rl="rear left")
    yield (dict(name="chassis", description="With everything that is fixed to it.", visuals=looks_of_chassis()) | CHASSIS,
           CHASSIS_CENTER)
    for corner in corners:
        where = sides[corner.name]
        yield (dict(name=f"upper_arm_{corner.name}", description=f"Upper control arm, {where}.") | UPPER,
               corner.centers["upper_arm"])
        yield (dict(name=f"lower_arm_{corner.name}", description=f"Lower control arm, {where}.") | LOWER,
               corner.centers["lower_arm"])
        yield (dict(name=f"spindle_{corner.name}",
                    description=f"Upright, spindle, wheel and tyre, not rotating, {where}.") | SPINDLE,
               corner.centers["spindle"])
    yield dict(name="rack", description="Steering rack.") | RACK, corners[0].centers["rack"]


def equilibrium():
    """Model and body -> position (m) and Euler parameters."""
    with open(model_file.FOLDER / "hmmwv_equilibrium.csv", newline="", encoding="utf-8") as file:
        return {(row.pop("model"), row.pop("body")): [float(v) for v in row.values()] for row in csv.DictReader(file)}


def parameters():
    def over(element, names, quantity):
        return [f"{element}.{name}.{quantity}" for name in names]

    front, rear = ("coil_fr", "coil_fl"), ("coil_rr", "coil_rl")
    tyres = [f"tyre_{name}" for name, _, _ in CORNERS]
    rate, damping = dict(minimum=20000, maximum=1000000), dict(minimum=0, maximum=200000)
    return [
        dict(name="front_rate", description="Stiffness of the two front coils.", unit="N/m", **rate,
             targets=over("forces", front, "stiffness")),
        dict(name="front_damping", description="Damping of the two front dampers.", unit="N s/m", **damping,
             targets=over("forces", front, "damping")),
        dict(name="rear_rate", description="Stiffness of the two rear coils.", unit="N/m", **rate,
             targets=over("forces", rear, "stiffness")),
        dict(name="rear_damping", description="Damping of the two rear dampers.", unit="N s/m", **damping,
             targets=over("forces", rear, "damping")),
        dict(name="tyre_rate", description="Vertical stiffness of all four tyres.", unit="N/m", minimum=50000,
             maximum=1000000, targets=over("forces", tyres, "stiffness")),
        dict(name="chassis_mass", description="Mass of the chassis with its load.", unit="kg", minimum=1000,
             maximum=5000, targets=["bodies.chassis.mass"])]


def make(name, description, hinged, poses=None):
    """The model from its equilibrium, or from the given pose of each body (position, Euler parameters)."""
    corners = [Corner(*corner) for corner in CORNERS]
    settled = equilibrium()
    bodies = []
    for body, _ in bodies_of(corners):
        pose = poses[body["name"]] if poses else settled[name, body["name"]]
        bodies.append(body | dict(position=pose[:3], velocity=[SPEED, 0, 0], orientation=pose[3:]))
    rack = corners[0].centers["rack"]
    across = dict(axis_1=[0, 1, 0], axis_2=[0, 1, 0])
    reach = math.sqrt((TYRE["radius"] + BUMP) ** 2 - TYRE["radius"] ** 2)  # of a rolling disc before the bump's middle
    bump = AXLE + FRONT["wheel"][0] + 0.5 * SPEED + reach
    return dict(
        name=name, description=description, gravity=[0, 0, -9.81], bodies=bodies,
        joints=[joint for corner in corners for joint in corner.joints(hinged)] + [
            dict(name="rack_guide", body_1="chassis", body_2="rack", prismatic=dict(
                point_1=vec(minus(rack, CHASSIS_CENTER)), point_2=[0, 0, 0]) | across)],
        forces=[force for corner in corners for force in corner.forces()],
        drives=[dict(name="steering", description="The rack is held.", travel=dict(joint="rack_guide"),
                     polynomial=dict(coefficients=[0]))],
        sensors=[
            dict(name="chassis_height", description="Center of mass of the chassis above the road.",
                 point_position=dict(body="chassis", direction=[0, 0, 1])),
            dict(name="pitch_rate", description="Positive nose down.",
                 angular_velocity=dict(body="chassis", direction=[0, 1, 0], frame="FRAME_BODY")),
            dict(name="driver_acceleration", description="Vertical, at the driver's head.",
                 point_acceleration=dict(body="chassis", point=[0.144, 0.5, 0.737], direction=[0, 0, 1])),
        ] + [corner.sensor() for corner in corners],
        roads=[dict(name="road", description="Flat, with a half-cylinder of 0.1 m diameter across it.", up=[0, 0, 1],
                    along=[1, 0, 0], half_cylinders=[dict(position=bump, radius=BUMP)])],
        solver=dict(period=0.001), parameters=parameters())


MODELS = {
    "hmmwv": dict(description="Off-road vehicle of 14 bodies and 18 freedoms, rolling over a bump at 10 mph.",
                  hinged=False),
    "hmmwv_h10": dict(description="The off-road vehicle with revolute upper arms: 14 bodies, 10 freedoms.",
                      hinged=True),
}


def settle(program):
    """Lets each vehicle roll for 10 s from its design position on a level road; prints the distance from the table.

    The upper arms of hmmwv turn freely about their two ball joints, so their orientation has no equilibrium.
    """
    seconds, worst = 10, 0.0
    corners = [Corner(*corner) for corner in CORNERS]
    design = {body["name"]: [*center, 1, 0, 0, 0] for body, center in bodies_of(corners)}
    for name, rest in MODELS.items():
        model = make(name, poses=design, **rest)
        model["roads"][0].pop("half_cylinders")
        with tempfile.TemporaryDirectory() as folder:
            file, table = pathlib.Path(folder, "level.json"), pathlib.Path(folder, "level.csv")
            file.write_text(json.dumps(model))
            subprocess.run([program, "run", str(file), "--until", f"{seconds}s", "--signals", "*.r.*,*.p.*", "--every",
                            "1000", "--out", str(table)], check=True, stdout=subprocess.DEVNULL)
            last = list(csv.DictReader(table.open()))[-1]
        way = float(last["chassis.r.x"]) - equilibrium()[name, "chassis"][0]
        for body in design:
            found = [float(last[f"{body}.r.{c}"]) - (way if c == "x" else 0) for c in "xyz"]
            found += [float(last[f"{body}.p.e{k}"]) for k in range(4)]
            free = name == "hmmwv" and body.startswith("upper_arm")
            off = [abs(a - b) for a, b in zip(found, equilibrium()[name, body])][:3 if free else 7]
            worst = max(worst, *off)
    print(f"equilibrium after {seconds} s: at most {worst:.1e} off hmmwv_equilibrium.csv (m, Euler parameters)")
    sys.exit(0 if worst < 1e-9 else 1)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--settle":
        settle(sys.argv[2])
    model_file.main([make(name, **rest) for name, rest in MODELS.items()], model_file.broken_text)
