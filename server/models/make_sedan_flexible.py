#!/usr/bin/python3
"""Writes sedan_flexible.json: the sedan on a chassis that twists and bends.

    server/models/make_sedan_flexible.py            writes the file
    server/models/make_sedan_flexible.py --check    says whether the file is what this script makes

The chassis is a beam along x with the mass, the center and the inertia of the chassis of the sedan. It is condensed to a
modal body with one interface at each axle (Craig-Bampton form, rt/doc/modal.md). What the sedan has at an axle hangs on
that interface.
"""
import copy

import numpy as np

import make_sedan
import model_file
from make_sedan import CHASSIS, FRONT, REAR, vec

NODES, SPACING, FIRST = 13, 0.3, FRONT["x"] + 0.6  # m; a node at each axle
INTERFACES = {"front": 2, "rear": 11}  # nodes
MODES, FREE_MODES = 18, 6
DAMPING_TIME = 2e-4  # s: 1.5 % at 24 Hz
# Of the cross-section: EA and GA in N, GJ (29 kN m/degree between the axles) and EI in N m^2, about y, about z.
EA, GA, GJ, EI = 6e8, 1.2e8, 4.5e6, (8e6, 1.4e7)
SHARE = 0.5  # of the node at an interface that its interface body carries


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def motion_at(s):
    """Motion of a point at the arm s from that of another one: displacement, then rotation vector."""
    motion = np.eye(6)
    motion[:3, 3:] = -skew(s)
    return motion


def frame():
    """Places of the nodes from the center of mass, stiffness and mass of the beam."""
    x = FIRST - SPACING * np.arange(NODES)
    # Masses that fall linearly with x, so that the center is at x = 0.
    even = x - x.mean()
    masses = CHASSIS["mass"] / NODES * (1 - even * x.mean() / (even @ even / NODES))
    around = masses @ x**2
    inertia = (np.array(CHASSIS["inertia"]) - [0, around, around]) / NODES
    K, M = np.zeros((6 * NODES, 6 * NODES)), np.zeros((6 * NODES, 6 * NODES))
    for i in range(NODES):
        M[6 * i:6 * i + 6, 6 * i:6 * i + 6] = np.diag([masses[i]] * 3 + list(inertia))
    bend_y, bend_z = EI
    # Flexibility of an element for loads at its middle, with that of bending within the element in its shear.
    flexibility = SPACING * np.array([1 / EA, 1 / GA + SPACING**2 / (12 * bend_z), 1 / GA + SPACING**2 / (12 * bend_y),
                                      1 / GJ, 1 / bend_y, 1 / bend_z])
    arm = np.array([0.5 * SPACING, 0, 0])
    strain = np.hstack([-motion_at(-arm), motion_at(arm)])
    for i in range(NODES - 1):
        K[6 * i:6 * i + 12, 6 * i:6 * i + 12] += strain.T @ np.diag(1 / flexibility) @ strain
    return np.column_stack([x, 0 * x, 0 * x]), K, M


def fixed_modes(K, M, count):
    """Squares of the angular frequencies and shapes of the lowest modes, modal masses 1; M is diagonal."""
    root = np.sqrt(np.diag(M))
    values, vectors = np.linalg.eigh(K / np.outer(root, root))
    shapes = vectors[:, :count] / root[:, None]
    largest = shapes[np.abs(np.round(shapes, 9)).argmax(axis=0), np.arange(count)]
    return values[:count], shapes * np.sign(largest)


def rows(matrix):
    """Numbers row by row with ten digits; round-off is zero."""
    matrix = np.atleast_2d(matrix)
    size = np.abs(matrix).max()
    return [0.0 if abs(v) < 1e-12 * size else float(f"{v:.10g}") for v in matrix.ravel()]


def modal_body():
    points, K, M = frame()
    outer = np.concatenate([np.arange(6 * node, 6 * node + 6) for node in INTERFACES.values()])
    inner = np.setdiff1d(np.arange(len(K)), outer)
    follow = -np.linalg.solve(K[np.ix_(inner, inner)], K[np.ix_(inner, outer)])
    stiffness = K[np.ix_(outer, outer)] + K[np.ix_(outer, inner)] @ follow
    mass = M[np.ix_(outer, outer)] + follow.T @ M[np.ix_(inner, inner)] @ follow
    squares, shapes = fixed_modes(K[np.ix_(inner, inner)], M[np.ix_(inner, inner)], MODES)
    coupling = follow.T @ M[np.ix_(inner, inner)] @ shapes

    def interface(name, node):
        own = SHARE * np.diag(M)[6 * node:6 * node + 6]
        return dict(name=name, point=vec(points[node]), mass=rows(own[0])[0],
                    inertia=make_sedan.tensor(rows(own[3:])))

    return dict(position=list(CHASSIS["position"]), velocity=[20, 0, 0],
                interfaces=[interface(*item) for item in INTERFACES.items()],
                stiffness=rows(0.5 * (stiffness + stiffness.T)), mass=rows(0.5 * (mass + mass.T)),
                mode_stiffness=rows(squares), coupling=rows(coupling), modes=FREE_MODES, damping_time=DAMPING_TIME)


def moved(value, of_axle):
    """An element of the sedan with its points on the chassis moved to an interface.

    @param of_axle  "front" or "rear"
    """
    point = np.array([FIRST - SPACING * INTERFACES[of_axle], 0, 0])
    value = copy.deepcopy(value)
    kinds = [value] + [kind for kind in value.values() if isinstance(kind, dict)]
    for side in ("1", "2"):
        if not any(kind.get(f"body_{side}") == "chassis" for kind in kinds):
            continue
        for kind in kinds:
            if kind.get(f"body_{side}") == "chassis":
                kind[f"body_{side}"] = f"chassis.{of_axle}"
            if f"point_{side}" in kind:
                kind[f"point_{side}"] = vec(np.array(kind[f"point_{side}"]) - point)
    return value


def axle_of(name):
    return "rear" if name.endswith(("_rl", "_rr")) else "front"


def make():
    sedan = make_sedan.make()
    bodies = [body for body in sedan["bodies"] if body["name"] != "chassis"]
    names = ["chassis", "chassis.front", "chassis.rear", "chassis.modes_1"]
    conditions = copy.deepcopy(sedan["initial_conditions"])
    for condition in conditions:
        of_chassis = next(state for state in condition["bodies"] if state["body"] == "chassis")
        condition["bodies"] = [of_chassis | dict(body=name) for name in names] + \
            [state for state in condition["bodies"] if state["body"] != "chassis"]
    composites = [dict(name="chassis", description="body with everything sprung, flexible", modal_body=modal_body())]
    composites += [moved(strut, axle_of(strut["name"])) for strut in sedan["composites"]]
    return sedan | dict(
        name="sedan_flexible",
        description="The sedan on a flexible chassis: a modal body with an interface at each axle and six free modes.",
        bodies=bodies, joints=[moved(joint, axle_of(joint["name"])) for joint in sedan["joints"]],
        composites=composites, initial_conditions=conditions,
        parameters=[p for p in sedan["parameters"] if p["name"] != "chassis_mass"] + [
            dict(name="chassis_damping", description="damping of the chassis over its stiffness", unit="s", minimum=0,
                 maximum=0.01, targets=["composites.chassis.modal_body.damping_time"])])


if __name__ == "__main__":
    model_file.write_or_check({"sedan_flexible.json": model_file.element_lines(make()) + "\n"})
