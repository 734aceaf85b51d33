#!/usr/bin/python3
"""Writes sedan.json: a car of 20 bodies with double wishbones all round, rolling at 20 m/s in equilibrium.

    server/models/make_sedan.py            writes the file
    server/models/make_sedan.py --check    says whether the file is what this script makes

World axes: x forward, y to the left, z up; the road is z = 0. Hard points are those of the left side, in the design
position; the right side is their mirror image. Springs get the free length that carries the car in this position:
by virtual work at each corner, with wheel loads from the statics of the whole car.
"""
import numpy as np

import model_file
import shapes

G = 9.81
RACK_PER_RADIAN = 0.0075  # m
RADIUS, ROLLING_RADIUS, TYRE_STIFFNESS = 0.32, 0.31, 2.1e5

# Steering: the torsion bar with its shafts, and the share of its torque that the motor adds at the pinion. HOLD is how
# `steering` holds the wheel. The rack sees 84 N m/rad: (1 + boost) / (1 / HOLD + 1 / BAR).
HOLD = dict(stiffness=450.0, damping=6.0)  # N m/rad, N m s/rad
BAR = dict(stiffness=30.0, damping=0.15, boost=2.0)
COLUMN_FRICTION = dict(limit=0.3, elastic=0.01)  # N m, rad

# Masses (kg) and principal inertias (kg m^2).
CHASSIS = dict(mass=1314.0, inertia=(520.0, 2150.0, 2350.0), position=(0.0, 0.0, 0.58))
RACK = dict(mass=5.0, inertia=(0.15, 0.01, 0.15))
COLUMN = dict(mass=4.0, inertia=(0.04, 0.02, 0.02), position=(0.45, 0.0, 0.95))
PINION = dict(mass=1.0, inertia=(0.004, 0.004, 0.004))  # with the motor of the power steering
LOWER = dict(mass=6.0, inertia=(0.08, 0.06, 0.13))
UPPER = dict(mass=4.0, inertia=(0.04, 0.04, 0.07))
KNUCKLE = dict(mass=14.0, inertia=(0.20, 0.18, 0.12))
WHEEL = dict(mass=20.0, inertia=(0.65, 1.1, 0.65))

# Hard points of the left wheels; x counts from the wheel's center.
FRONT = dict(
    x=1.22, track=0.775,
    lower_pivot=(0.00, 0.36, 0.215), lower_ball=(0.01, 0.70, 0.195),
    upper_pivot=(-0.02, 0.43, 0.535), upper_ball=(-0.02, 0.645, 0.555),
    tie_inner=(-0.135, 0.335, 0.245), tie_outer=(-0.125, 0.690, 0.235),
    spring_arm=(0.005, 0.57, 0.205), spring_top=(0.0, 0.515, 0.640),
    stiffness=72e3, bar=750.0, brake=1500.0)
REAR = dict(
    x=-1.48, track=0.770,
    lower_pivot=(0.00, 0.38, 0.225), lower_ball=(0.00, 0.69, 0.205),
    upper_pivot=(0.00, 0.44, 0.500), upper_ball=(0.00, 0.650, 0.515),
    tie_inner=(-0.140, 0.380, 0.255), tie_outer=(-0.150, 0.690, 0.245),
    spring_arm=(0.000, 0.57, 0.212), spring_top=(0.0, 0.525, 0.620),
    stiffness=66e3, bar=300.0, brake=700.0)
# Of all springs: the stiffness grows by a half where they are pressed in by more than 40 mm beyond the design position,
# a bump stop begins at 60 mm and a rebound stop at 70 mm the other way.
PROGRESSION, BUMP, REBOUND = (0.040, 0.100, 1.5), 0.060, 0.070
BUMP_STOP = dict(stiffness=6e6, exponent=2, damping=400.0)  # N/m^2
REBOUND_STOP = dict(stiffness=4e5, exponent=1, damping=400.0)  # N/m
# Dampers, N over m/s: softer as the wheel rises, digressive both ways.
DAMPER = dict(x=[-2.0, -0.5, -0.1, 0.0, 0.1, 0.5, 2.0], y=[-4800, -1700, -430, 0, 590, 2450, 6300])
# The body in the air.
AIR = dict(area=2.2, drag=0.30, lift=0.08, up=[0, 0, 1], wind=[0, 0, 0])

# A passenger car's tyre: symmetric, so that left and right share it.
TYRE = dict(PCX1=1.60, PDX1=1.15, PDX2=-0.08, PEX1=0.30, PKX1=22.0, PKX3=0.20, RBX1=12.0, RBX2=-10.0, RCX1=1.09,
            PCY1=1.30, PDY1=1.00, PDY2=-0.12, PEY1=-1.00, PKY1=-16.0, PKY2=1.80, RBY1=7.0, RBY2=5.0, RCY1=1.08,
            QBZ1=9.0, QBZ2=-1.1, QCZ1=1.18, QDZ1=0.10, QEZ1=-1.6)
ENGINE = dict(rpm=[800, 1500, 2500, 4000, 5500, 6200, 6700], full=[120, 170, 200, 205, 190, 165, 0],
              closed=[0, -14, -20, -28, -38, -44, -50], final=3.9, efficiency=0.93)


def looks_of_chassis():
    """Shapes of the chassis, from its center of mass; the outline is that of a car of 4.5 m."""
    down = -CHASSIS["position"][2]
    body = lambda corners: [(x, z + down) for x, z in corners]
    front, rear = FRONT["x"], REAR["x"]
    lower = [(-2.34, 0.45), (-2.28, 0.24)] + shapes.arch(rear, RADIUS, 0.39, 0.22)
    lower += shapes.arch(front, RADIUS, 0.39, 0.22)
    lower += [(2.08, 0.24), (2.15, 0.45), (2.10, 0.66), (1.75, 0.78), (0.95, 0.92), (-1.62, 0.97), (-2.26, 0.95),
              (-2.36, 0.72)]
    cabin = [(0.95, 0.92), (0.18, 1.38), (-0.98, 1.40), (-1.62, 0.97)]
    return shapes.car_body(body(lower), body(cabin), 0.04, 1.72, 1.40, (0.13, 0.33, 0.62)) + shapes.lights(
        (2.09, 0.60 + down), (-2.33, 0.78 + down), 0.62, (0.08, 0.34, 0.11))


STEERING_WHEEL = [
    shapes.look("rim", (0.10, 0.10, 0.12)) | dict(orientation=shapes.Z_TO_FRONT,
                                                  tube=dict(outer_radius=0.185, inner_radius=0.155, length=0.03)),
    shapes.box("spokes", (0, 0, 0), (0.02, 0.32, 0.04), color=(0.10, 0.10, 0.12))]


def vec(v):
    return [round(float(x), 12) + 0.0 for x in v]


def tensor(diagonal):
    return dict(zip(("xx", "yy", "zz"), diagonal))


class Corner:
    """One wheel with its arms: points in the world, side +1 left, -1 right."""

    def __init__(self, name, spec, side, load):
        self.name, self.spec, self.side, self.load = name, spec, side, load
        self.center = self.mirror(np.array([spec["x"], spec["track"], RADIUS - load / TYRE_STIFFNESS]))

    def mirror(self, p):
        return np.array([p[0], self.side * p[1], p[2]])

    def point(self, key):
        p = np.array(self.spec[key], float)
        return self.mirror(p + np.array([self.spec["x"], 0, 0]))

    def center_of(self, part):
        if part == "wheel":
            return self.center
        if part == "knuckle":
            return self.mirror(np.array([self.spec["x"], self.spec["track"] - 0.09, 0.33]))
        return 0.5 * (self.point(part + "_pivot") + self.point(part + "_ball"))

    def spring_force(self):
        """Compression that holds the corner, N: the power of all loads over the rate of the spring."""
        x = np.array([1.0, 0, 0])
        lower = np.cross(x, self.point("lower_ball") - self.point("lower_pivot"))
        upper = np.cross(x, self.point("upper_ball") - self.point("upper_pivot"))
        at = self.center_of("knuckle")
        rod = self.point("tie_outer") - self.point("tie_inner")
        skew = lambda r: np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        # Unknowns: velocity and angular velocity of the knuckle, rate of the upper arm; the lower arm turns at 1 rad/s.
        A, b = np.zeros((7, 7)), np.zeros(7)
        A[:3, :3], A[:3, 3:6] = np.eye(3), -skew(self.point("lower_ball") - at)
        b[:3] = lower
        A[3:6, :3], A[3:6, 3:6], A[3:6, 6] = np.eye(3), -skew(self.point("upper_ball") - at), -upper
        A[6, :3], A[6, 3:6] = rod, rod @ -skew(self.point("tie_outer") - at)
        v = np.linalg.solve(A, b)
        knuckle = lambda p: v[:3] + np.cross(v[3:6], p - at)
        contact = self.center - np.array([0, 0, RADIUS - self.load / TYRE_STIFFNESS])
        power = self.load * knuckle(contact)[2]
        power -= G * KNUCKLE["mass"] * v[2] + G * WHEEL["mass"] * knuckle(self.center)[2]
        power -= G * LOWER["mass"] * np.cross(x, self.center_of("lower") - self.point("lower_pivot"))[2]
        power -= G * UPPER["mass"] * v[6] * np.cross(x, self.center_of("upper") - self.point("upper_pivot"))[2]
        arm, top = self.point("spring_arm"), self.point("spring_top")
        rate = (top - arm) / np.linalg.norm(top - arm) @ -np.cross(x, arm - self.point("lower_pivot"))
        return -power / rate


def spring_curve(stiffness, force, length):
    """Free length and curve of a spring that carries `force` at `length`: linear about there, stiffer further in."""
    static = force / stiffness
    begin, end, growth = PROGRESSION
    x = [-static - end, -static - begin, -static, 0.0, 0.08]
    y = [stiffness * (v if v >= -static - begin else -static - begin - growth * (end - begin)) for v in x]
    y[2] = -force
    return dict(free_length=round(length + static, 12),
                stiffness_curve=dict(x=vec(x), y=[round(float(v), 6) + 0.0 for v in y]))


def make():
    chassis = np.array(CHASSIS["position"])
    rack = np.array([FRONT["x"] + FRONT["tie_inner"][0], 0, FRONT["tie_inner"][2]])
    # On the plane of symmetry, so that both sides carry the same. The pinion is above the rack.
    column, pinion = np.array(COLUMN["position"]), rack + np.array([0, 0, RACK_PER_RADIAN])
    parts = [("lower", LOWER), ("upper", UPPER), ("knuckle", KNUCKLE), ("wheel", WHEEL)]

    # Wheel loads: the whole car on two axles. Unsprung parts hardly move with the load; two passes settle it.
    corners = []
    loads = {1: 3900.0, -1: 3400.0}
    for _ in range(3):
        corners = [Corner(n, s, side, loads[1 if s is FRONT else -1])
                   for n, s, side in (("fl", FRONT, 1), ("fr", FRONT, -1), ("rl", REAR, 1), ("rr", REAR, -1))]
        masses = [(CHASSIS["mass"], chassis), (RACK["mass"], rack), (COLUMN["mass"], column), (PINION["mass"], pinion)]
        masses += [(part["mass"], c.center_of(name)) for c in corners for name, part in parts]
        total = sum(m for m, _ in masses)
        x = sum(m * p[0] for m, p in masses) / total
        share = (x - REAR["x"]) / (FRONT["x"] - REAR["x"])
        loads = {1: 0.5 * share * total * G, -1: 0.5 * (1 - share) * total * G}

    bodies = [dict(name="chassis", description="body with everything sprung", mass=CHASSIS["mass"],
                   inertia=tensor(CHASSIS["inertia"]), position=vec(chassis), visuals=looks_of_chassis()),
              dict(name="rack", description="steering rack", mass=RACK["mass"], inertia=tensor(RACK["inertia"]),
                   position=vec(rack)),
              dict(name="column", description="steering wheel and column", mass=COLUMN["mass"],
                   inertia=tensor(COLUMN["inertia"]), position=vec(column), visuals=STEERING_WHEEL),
              dict(name="pinion", description="pinion with the motor of the power steering", mass=PINION["mass"],
                   inertia=tensor(PINION["inertia"]), position=vec(pinion))]
    joints = [dict(name="rack_guide", body_1="chassis", body_2="rack", prismatic=dict(
        point_1=vec(rack - chassis), point_2=[0, 0, 0], axis_1=[0, 1, 0], axis_2=[0, 1, 0]))]
    # Angles to the left are positive. The rack lies behind the axle: it moves to the right for a turn to the left.
    left, center = [-1, 0, 0], [0, 0, 0]
    joints += [dict(name=name, description=text, body_1="chassis", body_2=body, revolute=dict(
        point_1=vec(at - chassis), point_2=center, axis_1=left, axis_2=left))
               for name, text, body, at in (("column_bearing", "angle of the steering wheel, to the left", "column", column),
                                            ("pinion_bearing", "angle of the pinion, to the left", "pinion", pinion))]
    joints.append(dict(name="teeth", body_1="rack", body_2="pinion", rack_and_pinion=dict(
        point_1=vec(pinion - rack), point_2=center, axis_1=left, direction_1=[0, 1, 0], radius=RACK_PER_RADIAN)))
    forces, struts = [], []
    for c in corners:
        n, at = c.name, {name: c.center_of(name) for name, _ in parts}
        for name, part in parts:
            bodies.append(dict(name=f"{name}_{n}", mass=part["mass"], inertia=tensor(part["inertia"]),
                               position=vec(at[name])))
        for arm in ("lower", "upper"):
            pivot, ball = c.point(arm + "_pivot"), c.point(arm + "_ball")
            joints.append(dict(name=f"{arm}_pivot_{n}", body_1="chassis", body_2=f"{arm}_{n}", revolute=dict(
                point_1=vec(pivot - chassis), point_2=vec(pivot - at[arm]), axis_1=[1, 0, 0], axis_2=[1, 0, 0])))
            joints.append(dict(name=f"{arm}_ball_{n}", body_1=f"{arm}_{n}", body_2=f"knuckle_{n}", spherical=dict(
                point_1=vec(ball - at[arm]), point_2=vec(ball - at["knuckle"]))))
        front = c.spec is FRONT
        inner, outer = c.point("tie_inner"), c.point("tie_outer")
        joints.append(dict(name=f"tie_rod_{n}", body_1="rack" if front else "chassis", body_2=f"knuckle_{n}",
                           distance=dict(point_1=vec(inner - (rack if front else chassis)),
                                         point_2=vec(outer - at["knuckle"]))))
        joints.append(dict(name=f"hub_{n}", description="bearing of the wheel", body_1=f"knuckle_{n}",
                           body_2=f"wheel_{n}", revolute=dict(
                               point_1=vec(at["wheel"] - at["knuckle"]), point_2=[0, 0, 0], axis_1=[0, 1, 0],
                               axis_2=[0, 1, 0])))
        arm, top = c.point("spring_arm"), c.point("spring_top")
        length = float(np.linalg.norm(top - arm))
        struts.append(dict(name=f"spring_{n}", description="spring and damper with bump and rebound stops",
                           strut=dict(body_1="chassis", body_2=f"lower_{n}", point_1=vec(top - chassis),
                                      point_2=vec(arm - at["lower"]), damping_curve=DAMPER,
                                      minimum_stop=dict(position=round(length - BUMP, 12)) | BUMP_STOP,
                                      maximum_stop=dict(position=round(length + REBOUND, 12)) | REBOUND_STOP,
                                      **spring_curve(c.spec["stiffness"], c.spring_force(), length))))
        forces.append(dict(name=f"tyre_{n}", slip_tyre=dict(
            road="road", body=f"wheel_{n}", axis=[0, 1, 0], radius=RADIUS, rolling_radius=ROLLING_RADIUS,
            stiffness=TYRE_STIFFNESS, damping=200.0, nominal_load=4000.0, longitudinal_relaxation=0.15,
            lateral_relaxation=0.40, rolling_resistance=0.012,
            magic_formula=dict(coefficients=[dict(name=k, value=v) for k, v in TYRE.items()]))))
        forces.append(dict(name=f"brake_{n}", brake=dict(joint=f"hub_{n}", torque=c.spec["brake"], elastic=0.01)))

    for axle, stiffness in (("f", FRONT["bar"]), ("r", REAR["bar"])):
        forces.append(dict(name=f"bar_{axle}", description="anti-roll bar between the lower arms", anti_roll_bar=dict(
            joint_1=f"lower_pivot_{axle}l", joint_2=f"lower_pivot_{axle}r", stiffness=stiffness, ratio=-1)))
    forces.append(dict(name="air", description="drag and lift of the body", air_load=dict(
        body="chassis") | AIR))

    rad = np.pi / 30
    forces.append(dict(name="engine", description="engine, gearbox and open differential on the front axle",
                       powertrain=dict(carrier="chassis", joints=["hub_fl", "hub_fr"],
                                       speeds=[round(r * rad, 6) for r in ENGINE["rpm"]],
                                       full_torque=ENGINE["full"], zero_torque=ENGINE["closed"],
                                       final_ratio=ENGINE["final"], efficiency=ENGINE["efficiency"])))
    forces += [dict(name="column_hold", description="holds the steering wheel at the angle `steering`",
                    rotational_spring=dict(joint="column_bearing") | HOLD),
               dict(name="column_friction", joint_friction=dict(joint="column_bearing") | COLUMN_FRICTION),
               dict(name="torsion_bar", description="with a motor at the pinion that follows its torque",
                    anti_roll_bar=dict(joint_1="column_bearing", joint_2="pinion_bearing") | BAR)]
    brakes = [f"brake_{c.name}" for c in corners]
    actuators = [
        dict(name="steering", group="wheel", description="angle of the steering wheel, to the left", unit="rad", minimum=-8,
             maximum=8,
             spring_input=dict(spring="column_hold", quantity="SPRING_QUANTITY_FREE_LENGTH")),
        dict(name="throttle", group="pedals", description="pedal, 0 to 1", minimum=0, maximum=1, safe=0,
             control=dict(elements=["engine"], quantity="CONTROL_QUANTITY_THROTTLE")),
        dict(name="brake", group="pedals", description="pedal, 0 to 1", minimum=0, maximum=1, safe=0.3,
             on_loss=dict(action="LOSS_ACTION_RAMP", ramp_time=1.0),
             control=dict(elements=brakes, quantity="CONTROL_QUANTITY_BRAKE")),
        dict(name="gear_ratio", group="pedals",
             description="ratio of the gearbox: 3.6 in first gear to 0.8 in the highest, 0 in neutral, negative in reverse",
             minimum=-4, maximum=4, initial=0, safe=0,
             control=dict(elements=["engine"], quantity="CONTROL_QUANTITY_RATIO")),
        dict(name="hand_torque", group="wheel",
             description="torque of the hands on the steering wheel, to the left; it alone turns the wheel where "
                         "steering_hold is 0", minimum=-30, maximum=30,
             joint_torque=dict(joint="column_bearing"))]
    head = [-0.1, 0.35, 0.55]
    sensors = [dict(name=f"head_{a}", description=f"acceleration at the driver's head, axis {a} of the chassis",
                    point_acceleration=dict(body="chassis", point=head, direction=[float(a == b) for b in "xyz"],
                                            frame="FRAME_BODY")) for a in "xyz"]
    sensors += [dict(name="speed", description="forward, at the chassis", point_velocity=dict(
        body="chassis", direction=[1, 0, 0], frame="FRAME_BODY")),
        dict(name="yaw_rate", angular_velocity=dict(body="chassis", direction=[0, 0, 1], frame="FRAME_BODY"))]
    sensors += [dict(name="steering_torque", description="torque of the held steering wheel on the hands, to the left",
                     force_value=dict(force="column_hold")),
                dict(name="steering_angle", description="angle of the steering wheel, to the left",
                     joint_angle=dict(joint="column_bearing")),
                dict(name="steering_rate", description="angular velocity of the steering wheel, to the left",
                     joint_rate=dict(joint="column_bearing"))]
    # What a motion platform is to give the driver.
    sensors += [dict(name=f"specific_force_{a}",
                     description=f"at the driver's head, axis {a} of the chassis: acceleration less gravity",
                     specific_force=dict(body="chassis", point=head, direction=[float(a == b) for b in "xyz"],
                                         frame="FRAME_BODY")) for a in "xyz"]
    sensors += [dict(name=name, angular_velocity=dict(body="chassis", direction=axis, frame="FRAME_BODY"))
                for name, axis in (("roll_rate", [1, 0, 0]), ("pitch_rate", [0, 1, 0]))]

    def rolling(body, speed):
        spin = round(speed / ROLLING_RADIUS, 9) if body["name"].startswith("wheel") else 0
        return dict(velocity=[speed, 0, 0], angular_velocity=[0, spin, 0])

    def driving(name, speed, description):
        states = [dict(body=body["name"]) | rolling(body, speed) for body in bodies]
        return dict(name=name, description=description, bodies=states)

    def of_tyres(field):
        return [f"forces.tyre_{c.name}.{field}" for c in corners]

    bodies = [body | rolling(body, 20) for body in bodies]
    return dict(
        name="sedan",
        description="Car of 20 bodies and 16 degrees of freedom: double wishbones, steering with column and assistance, "
                    "spinning wheels on tyres with slip, brakes, engine. Input: steering angle or torque, throttle, "
                    "brake, gear ratio.",
        gravity=[0, 0, -G], bodies=bodies, joints=joints, forces=forces, composites=struts,
        roads=[dict(name="road", up=[0, 0, 1], along=[1, 0, 0], friction=1.0)],
        actuators=actuators, sensors=sensors,
        initial_conditions=[driving("standing", 0, "at rest")] +
                           [driving(f"driving_{v}", v, f"straight on at {v} m/s") for v in (10, 30)],
        solver=dict(period=0.001, iterations=2),
        parameters=[
            dict(name="road_friction", description="factor on the friction of all tyres: 0.1 is ice", unit="1",
                 minimum=0.05, maximum=1.5, targets=["roads.road.friction"]),
            dict(name="tyre_grip_x", description="coefficient of friction along the tyres: PDX1", unit="1", minimum=0.1,
                 maximum=3, targets=of_tyres("magic_formula.coefficients[PDX1]")),
            dict(name="tyre_grip_y", description="coefficient of friction across the tyres: PDY1", unit="1",
                 minimum=0.1, maximum=3, targets=of_tyres("magic_formula.coefficients[PDY1]")),
            dict(name="tyre_cornering", description="cornering stiffness over the nominal load, below zero: PKY1",
                 unit="1/rad", minimum=-60, maximum=-2, targets=of_tyres("magic_formula.coefficients[PKY1]")),
            dict(name="tyre_stiffness", description="vertical; the springs stay those of the car as it is", unit="N/m",
                 minimum=1e5, maximum=5e5, targets=of_tyres("stiffness")),
            dict(name="chassis_mass", description="with its load; the springs stay those of the car as it is", unit="kg",
                 minimum=900, maximum=2500, targets=["bodies.chassis.mass"]),
            dict(name="bar_front", description="anti-roll bar of the front axle", unit="N m/rad", minimum=0,
                 maximum=5000, targets=["forces.bar_f.stiffness"]),
            dict(name="bar_rear", description="anti-roll bar of the rear axle", unit="N m/rad", minimum=0, maximum=5000,
                 targets=["forces.bar_r.stiffness"]),
            dict(name="steering_hold", description="stiffness with which `steering` holds the wheel; 0: hand_torque turns it",
                 unit="N m/rad", minimum=0, maximum=2000, targets=["forces.column_hold.stiffness"]),
            dict(name="steering_damping", description="damping of the held wheel; 6 with steering_hold 450, 0.2 with 0",
                 unit="N m s/rad", minimum=0.01, maximum=50, targets=["forces.column_hold.damping"]),
            dict(name="steering_assistance", description="torque of the motor at the pinion over that of the torsion bar",
                 unit="1", minimum=0, maximum=8, targets=["forces.torsion_bar.boost"]),
            dict(name="steering_friction", description="dry friction of the column", unit="N m", minimum=0.001, maximum=5,
                 targets=["forces.column_friction.limit"]),
            dict(name="drag", description="drag coefficient", unit="1", minimum=0, maximum=2, targets=["forces.air.drag"]),
            dict(name="wind_x", description="wind along the world, from behind", unit="m/s", minimum=-40, maximum=40,
                 targets=["forces.air.wind[0]"])])


if __name__ == "__main__":
    model_file.main([make()], model_file.element_lines)
