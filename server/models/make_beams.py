#!/usr/bin/python3
"""Writes the models with flexible beams: flexible_four_bar.json, lateral_buckling.json, rotating_shaft.json,
rotating_beam.json and flexible_arm.json.

    server/models/make_beams.py            writes all files
    server/models/make_beams.py --check    says whether they are what this script makes

The first three are the flexible mechanisms of O. A. Bauchau and others with the data of their papers or, where a paper
leaves a number open, a choice that the description of the model states; rotating_beam is the spin-up of J. C. Simo and
L. Vu-Quoc, Journal of Applied Mechanics 53 (1986).
"""
import math

import model_file

NO_GRAVITY = [0, 0, 0]


def beam(name, points, elements, across, section, material=None, mounts=(), **more):
    kind = dict(points=[dict(position=p) for p in points], elements=elements, across=across,
                stations=[section] if isinstance(section, dict) else section)
    if material:
        kind["material"] = material
    return dict(name=name, beam=kind | more | (dict(mounts=list(mounts)) if mounts else {}))


def general(EA, GA, GJ, EI, mass, rho_I):
    return dict(general=dict(stiffness=[EA, GA, GA, GJ, EI, EI], mass=mass, inertia=[2 * rho_I, rho_I, rho_I]))


def revolute(name, body_1, body_2, point_1, point_2, axis_1, axis_2):
    return dict(name=name, body_1=body_1, body_2=body_2,
                revolute=dict(point_1=point_1, point_2=point_2, axis_1=axis_1, axis_2=axis_2))


def table(law, times):
    """A drive along a law: cubic splines through it at the given times."""
    return dict(times=times, values=[law(t) for t in times])


def steps(spans):
    """Times from 0: for each (end, step) evenly up to the end."""
    times = [0.0]
    for end, step in spans:
        start = times[-1]
        count = round((end - start) / step)
        times += [round(start + (end - start) * k / count, 9) for k in range(1, count + 1)]
    return times


def four_bar():
    # phi_z needs more elements in the thin bar, N in the coupler than in the crank.
    elements = dict(ab=4, bc=8, cd=5)
    sixth = {bar: length / elements[bar] / 6 for bar, length in dict(ab=0.12, bc=0.24, cd=0.12).items()}
    # The axis ends a sixth of an element beyond the mass center of an end node.
    tilt = math.radians(5)

    def angle(t):  # about -z: 0.3 (1 - cos pi t) rad/s up to 1 s, then 0.6
        return -(0.3 * t - 0.3 / math.pi * math.sin(math.pi * t) if t < 1 else 0.3 + 0.6 * (t - 1))

    z = [0, 0, 1]
    a, b, c, d = [0, 0, 0], [0, 0.12, 0], [0.24, 0.12, 0], [0.24, 0, 0]
    hinge = dict(kind="BEAM_MOUNT_KIND_REVOLUTE", body="ground", axis=z)
    thick = general(52.99e6, 16.88e6, 733.5, 1131, 1.997, 42.60e-6)  # 16 mm square of steel, with the published digits
    thin = general(13.25e6, 4.220e6, 45.84, 70.66, 0.4992, 2.662e-6)  # 8 mm
    bars = [
        beam("ab", [a, b], elements["ab"], z, thick),
        beam("bc", [b, c], elements["bc"], z, thick),
        beam("cd", [c, d], elements["cd"], z, thin, mounts=[dict(node=elements["cd"]) | hinge])]
    # Axes 1, 2, 3 of the sections: along the bar, z, and what completes them.
    across = [0, 1, 0]
    return dict(
        name="flexible_four_bar",
        description="Four-bar of flexible bars whose hinge at C is tilted by 5 degrees: with rigid bars it is locked.",
        gravity=NO_GRAVITY,
        joints=[
            revolute("a", "ground", "ab.0", a, [-sixth["ab"], 0, 0], z, across),
            revolute("b", f"ab.{elements['ab']}", "bc.0", [sixth["ab"], 0, 0], [-sixth["bc"], 0, 0], across, across),
            revolute("c", f"bc.{elements['bc']}", "cd.0", [sixth["bc"], 0, 0], [-sixth["cd"], 0, 0],
                     [math.sin(tilt), math.cos(tilt), 0], [0, math.cos(tilt), -math.sin(tilt)])],
        drives=[dict(name="crank", angle=dict(joint="a"), table=table(angle, steps([(1, 0.02), (14, 0.5)])))],
        composites=bars)


def lateral_buckling():
    aluminium = dict(young=73e9, poisson_ratio=0.3, density=2700)
    offset, y = 1e-4, [0, 1, 0]
    sixth = 0.125 / 6

    def angle(t):  # about -y
        return -math.pi / 2 * (1 - math.cos(math.pi * min(t, 0.4) / 0.4))

    pin, pivot, tip = [1, offset, -0.25], [0.95, offset, -0.25], [1, offset, 0]
    return dict(
        name="lateral_buckling",
        description="A thin upright cantilever that a crank and a link push up at its tip: it buckles to the side.",
        gravity=NO_GRAVITY,
        joints=[
            dict(name="tip", body_1="blade.20", body_2="link.0",
                 spherical=dict(point_1=[0.05 / 6, offset, 0], point_2=[-sixth, 0, 0])),
            revolute("pin", "link.2", "arm.2", [sixth, 0, 0], [0.025 / 6, 0, 0], y, y),
            revolute("pivot", "ground", "arm.0", pivot, [-0.025 / 6, 0, 0], y, y)],
        drives=[dict(name="crank", angle=dict(joint="pivot"),
                     table=table(angle, steps([(0.4, 0.002), (0.41, 0.0005), (1, 0.01)])))],
        composites=[
            beam("blade", [[0, 0, 0], [1, 0, 0]], 20, y, dict(rectangle=dict(width=0.01, height=0.1)), aluminium,
                 [dict(node=0, body="ground")]),
            beam("link", [tip, pin], 2, y, dict(circle=dict(radius=0.012)), aluminium),
            beam("arm", [pivot, pin], 2, y, dict(circle=dict(radius=0.024)), aluminium)])


def rotating_shaft():
    first, second, omega = 0.8, 1.2, 60

    def angle(t):
        """Integral of the speed: up to 48 rad/s in 0.5 s, on to 72 rad/s from 1 to 1.25 s, each by half a cosine."""
        def ramp(t, duration):  # integral of (1 - cos(pi t / duration)) / 2
            t = max(t, 0)
            if t > duration:
                return duration / 2 + (t - duration)
            return t / 2 - duration / (2 * math.pi) * math.sin(math.pi * t / duration)
        return first * omega * ramp(t, 0.5) + (second - first) * omega * ramp(t - 1, 0.25)

    x = [1, 0, 0]
    sixth = 6 / 16 / 6
    inertia = dict(xx=2.0325, yy=1.0163, zz=1.0163)
    return dict(
        name="rotating_shaft",
        description="A driven tube with an eccentric disk at mid-span, through its first bending frequency.",
        gravity=NO_GRAVITY,
        bodies=[dict(name="disk", mass=70.573, inertia=inertia, position=[3, 0, 0.05])],
        joints=[
            revolute("r", "ground", "shaft.0", [0, 0, 0], [-sixth, 0, 0], x, x),
            dict(name="t", body_1="ground", body_2="shaft.16", cylindrical=dict(
                point_1=[6, 0, 0], point_2=[sixth, 0, 0], axis_1=x, axis_2=x))],
        drives=[dict(name="motor", angle=dict(joint="r"),
                     table=table(angle, steps([(0.5, 0.01), (1, 0.05), (1.25, 0.005), (4, 0.05)])))],
        composites=[
            beam("shaft", [[0, 0, 0], [6, 0, 0]], 16, [0, 1, 0],
                 dict(tube=dict(outer_radius=0.05, inner_radius=0.045)),
                 dict(young=210e9, poisson_ratio=0.3, density=7800), [dict(node=8, body="disk")])])


def rotating_beam():
    def angle(t):  # the rate rises to 6 rad/s in 15 s: 0.4 (t - 15/(2 pi) sin(2 pi t/15))
        if t > 15:
            return 45 + 6 * (t - 15)
        turn = 2 * math.pi / 15
        return 0.2 * t * t + 0.4 / turn ** 2 * (math.cos(turn * t) - 1)

    z = [0, 0, 1]
    section = general(2.8e7, 1e7, 1.4e4, 1.4e4, 1.2, 6e-4)
    return dict(
        name="rotating_beam",
        description="Spin-up of a flexible beam of 10 m to 6 rad/s.",
        gravity=NO_GRAVITY,
        joints=[revolute("hub", "ground", "beam.0", [0, 0, 0], [-1.25 / 6, 0, 0], z, z)],
        drives=[dict(name="motor", angle=dict(joint="hub"), table=table(angle, steps([(15, 0.25), (30, 1)])))],
        solver=dict(period=0.01),
        composites=[beam("beam", [[0, 0, 0], [10, 0, 0]], 8, [0, 1, 0], section)])


def flexible_arm():
    z = [0, 0, 1]
    return dict(
        name="flexible_arm",
        description="A light robot arm with a payload: a motor turns the flexible boom, sensors read what a controller "
                    "of its vibration needs. Change section, material and payload to your arm.",
        gravity=[0, 0, -9.81],
        bodies=[dict(name="payload", mass=2, inertia=dict(xx=0.004, yy=0.004, zz=0.004), position=[1.25, 0, 0])],
        joints=[revolute("shoulder", "ground", "boom.0", [0, 0, 0], [-0.025, 0, 0], z, [0, 1, 0])],
        forces=[dict(name="bearing", rotational_spring=dict(joint="shoulder", damping=0.02))],
        actuators=[dict(name="motor", description="Torque of the shoulder.", minimum=-40, maximum=40, safe=0,
                        joint_torque=dict(joint="shoulder"))],
        sensors=[
            dict(name="shoulder_angle", joint_angle=dict(joint="shoulder")),
            dict(name="shoulder_rate", joint_rate=dict(joint="shoulder")),
            dict(name="tip_x", point_position=dict(body="payload", direction=[1, 0, 0])),
            dict(name="tip_y", point_position=dict(body="payload", direction=[0, 1, 0])),
            dict(name="tip_acceleration", point_acceleration=dict(
                body="payload", direction=[0, 1, 0], frame="FRAME_BODY"))],
        parameters=[
            dict(name="young", description="Modulus of the boom.", unit="Pa", minimum=1e10, maximum=4e11,
                 targets=["composites.boom.beam.material.young"]),
            dict(name="payload_mass", description="Mass at the tip.", unit="kg", minimum=0.1, maximum=10,
                 targets=["bodies.payload.mass"])],
        composites=[
            beam("boom", [[0, 0, 0], [1.2, 0, 0]], 8, z,
                 [dict(place=0, box=dict(width=0.06, height=0.03, thickness=0.003)),
                  dict(place=1, box=dict(width=0.04, height=0.02, thickness=0.003))],
                 dict(young=7e10, poisson_ratio=0.33, density=2700), [dict(node=8, body="payload")],
                 damping_ratio=0.01, damping_angular_frequency=60)])


def main():
    model_file.main([four_bar(), lateral_buckling(), rotating_shaft(), rotating_beam(), flexible_arm()])


if __name__ == "__main__":
    main()
