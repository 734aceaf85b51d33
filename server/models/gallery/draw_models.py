#!/usr/bin/env python3
"""Draws each built-in model as an SVG: some instants of a run, from faint to black.

    server/models/gallery/draw_models.py build/release/tactus            writes all pictures beside this file
    server/models/gallery/draw_models.py build/release/tactus four_bar   writes the pictures of the models named
    server/models/gallery/draw_models.py build/release/tactus --check    says whether the pictures are up to date

A body is drawn as lines from its center of mass to the points of its joints and springs, ground as triangles, wheels
and gears as circles about their axes, beams as their axes, modal bodies as lines to their interfaces, rods and springs
in gray. Lengths are to scale; MODELS holds the view of each.
"""
import argparse
import csv
import json
import subprocess
import tempfile

import numpy as np

import picture_file

X, Y, Z = np.eye(3)
OBLIQUE = (np.array([0.9, -0.35, 0.0]), np.array([0.18, 0.22, 0.95]))
BEHIND_LEFT = (np.array([0.62, -0.78, 0.0]), np.array([0.24, 0.19, 0.95]))
# Model -> the world's directions that point right and up in the picture, instants (s), the body that the view follows.
MODELS = {
    "andrews_squeezer": (X, Y, [0, 0.01, 0.02], None),
    "beam_chain:n=8": (X, Y, [0, 0.2, 0.4, 0.6], None),
    "bricard": (*OBLIQUE, [0, 0.5, 1.0], None),
    "cantilever:n=8": (X, Y, [0, 0.02, 0.04], None),
    "chain:n=8": (X, Y, [0, 0.3, 0.6, 0.9], None),
    "double_pendulum": (*OBLIQUE, [0, 0.4, 0.8], None),
    "flexible_arm": (X, Y, [0, 0.3], None),
    "flexible_four_bar": (X, Y, [0, 1, 2, 3], None),
    "four_bar": (X, Y, [0, 0.4, 0.8, 1.2], None),
    "four_bar_up": (X, Y, [0, 0.4, 0.8, 1.2], None),
    "gear_train": (X, Y, [0, 0.2], None),
    "hmmwv": (X, Z, [0.8], "chassis"),
    "hmmwv_h10": (X, Z, [0.8], "chassis"),
    "lateral_buckling": (*OBLIQUE, [0, 0.1, 0.2], None),
    "motor_four_bar": (X, Y, [0, 0.15, 0.3], None),
    "rack_steering": (-Y, X, [0, 0.5], None),
    "rotating_beam": (X, Y, [0, 3, 4, 5, 6, 7], None),
    "rotating_shaft": (*OBLIQUE, [0, 1.2], None),
    "sedan": (*BEHIND_LEFT, [0.5], "chassis"),
    "sedan_flexible": (*BEHIND_LEFT, [0.5], "chassis"),
    "slider_crank": (*OBLIQUE, [0, 0.2, 0.4], None),
    "spatial_pendulum": (*OBLIQUE, [0, 0.05, 0.1, 0.15], None),
    "spin_top": (*OBLIQUE, [0, 1, 2], None),
    "stiff_double_pendulum": (X, Y, [0, 0.3, 0.6], None),
}
WIDTH, HEIGHT, MARGIN = 520, 320, 24
COLORS = ("#1f5fa8", "#b8432f", "#3a7d44", "#8a5aa8", "#b07d1c", "#3f8f96", "#666666")


def tactus(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def poses_at(program, model, times):
    """Instants as dicts from a body's name to its position and rotation matrix."""
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/run.csv"
        if max(times) > 0:
            tactus(program, "run", model, "--until", f"{max(times) * 1000:g}ms", "--out", table, "--signals", "*.r.*",
                   "*.p.*")
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
    instants = []
    for t in times:
        row = min(rows, key=lambda r: abs(float(r["t"]) - t))
        poses = {"ground": (np.zeros(3), np.eye(3))}
        for body in {name.removesuffix(".p.e0") for name in row if name.endswith(".p.e0")}:
            e0, e = float(row[f"{body}.p.e0"]), np.array([float(row[f"{body}.p.e{k}"]) for k in (1, 2, 3)])
            cross = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
            R = (e0 * e0 - e @ e) * np.eye(3) + 2 * np.outer(e, e) + 2 * e0 * cross
            poses[body] = (np.array([float(row[f"{body}.r.{c}"]) for c in "xyz"]), R)
        instants.append(poses)
    return instants


def parts_of(model):
    """Points of each body, circles (body, center, axis, radius), and the ends of rods and springs."""
    points, circles, links = {}, [], []
    kinds = [(j, kind) for j in model.get("joints", []) for kind in j.values() if isinstance(kind, dict)]
    elements = model.get("composites", []) + model.get("forces", [])
    kinds += [(kind, kind) for e in elements for kind in e.values() if isinstance(kind, dict)]
    for names, kind in kinds:
        for side in ("1", "2"):
            if f"point_{side}" in kind and names.get(f"body_{side}"):
                points.setdefault(names[f"body_{side}"], []).append(np.array(kind[f"point_{side}"], float))
        if set(kind) & {"length", "free_length"} or names.get("distance") is kind or names.get("bushing") is kind:
            links.append([(names[f"body_{side}"], np.array(kind[f"point_{side}"], float)) for side in "12"])
        if "radius_1" in kind:
            circles.append((names["body_1"], np.array(kind["point_1"]), kind["axis_1"], kind["radius_1"]))
            circles.append((names["body_2"], np.array(kind["point_2"]), kind["axis_1"], kind["radius_2"]))
        if "radius" in kind and "direction_1" in kind:
            circles.append((names["body_2"], np.array(kind["point_2"]), kind["axis_1"], kind["radius"]))
        elif "radius" in kind and "road" in kind:
            center = np.array(kind.get("centre") or (0, 0, 0), float)
            circles.append((kind["body"], center, kind.get("axis", (0, 1, 0)), kind["radius"]))
    return points, circles, links


def axis_of(composite, poses):
    """Points of the axis of a beam: its nodes, and its ends beyond the mass centers of nodes that nothing holds."""
    name, beam = composite["name"], composite["beam"]
    count, points = beam["elements"], [np.array(p["position"], float) for p in beam["points"]]
    spacing = sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:])) / count
    held = {m.get("node", 0): m.get("body") for m in beam.get("mounts", [])
            if m.get("kind", "BEAM_MOUNT_KIND_RIGID") == "BEAM_MOUNT_KIND_RIGID"}
    axis = []
    for node in range(count + 1):
        if held.get(node) == "ground":
            axis.append(points[0 if node == 0 else -1])
            continue
        r, R = poses[f"{name}.{node}"]
        beyond = 0 if node in held else {0: -spacing / 6, count: spacing / 6}.get(node, 0)
        axis.append(r + beyond * R[:, 0])
    return axis


def shapes_of(model, poses, right, up, origin):
    """Lines, circles and ground points of one instant, in meters on the picture."""
    flat = lambda p: np.array([right @ (p - origin), up @ (p - origin)])
    points, circles, links = parts_of(model)
    names = [b["name"] for b in model.get("bodies", [])]
    lines, ground = [], []
    for k, composite in enumerate(c for c in model.get("composites", []) if "beam" in c):
        lines.append((len(names) + k, [flat(p) for p in axis_of(composite, poses)]))
    for k, composite in enumerate(c for c in model.get("composites", []) if "modal_body" in c):
        # From the mean body to each interface, and on to what hangs there.
        mean = flat(poses[composite["name"]][0])
        for interface in composite["modal_body"]["interfaces"]:
            name = f"{composite['name']}.{interface['name']}"
            r, R = poses[name]
            lines += [(len(names) + k, [mean, flat(r)])]
            lines += [(len(names) + k, [flat(r), flat(r + R @ p)]) for p in points.get(name, [])]
    for name in names:
        r, R = poses[name]
        for p in points.get(name, []):
            lines.append((names.index(name), [flat(r), flat(r + R @ p)]))
        lines.append((names.index(name), [flat(r)]))
    turn = np.linspace(0, 2 * np.pi, 37)
    for name, center, axis, radius in circles:
        r, R = poses[name]
        a = np.array(axis, float) / np.linalg.norm(axis)
        u = np.cross(a, X if abs(a[0]) < 0.9 else Y)
        u /= np.linalg.norm(u)
        ring = [flat(r + R @ (center + radius * (np.cos(s) * u + np.sin(s) * np.cross(a, u)))) for s in turn]
        # A spoke shows how far the circle has turned.
        lines.append((names.index(name) if name in names else -1, ring + [flat(r + R @ center)]))
    for ends in links:
        lines.append((-1, [flat(poses[name][0] + poses[name][1] @ p) for name, p in ends]))
    for p in points.get("ground", []):
        ground.append(flat(p))
    return lines, ground


def draw(program, name, right, up, times, followed):
    """The picture of one model, as text."""
    model = json.loads(tactus(program, "model", "print", name))
    instants = poses_at(program, name, [max(t, 0.0) for t in times])
    drawn = [shapes_of(model, poses, right, up, poses[followed][0] if followed else np.zeros(3)) for poses in instants]
    every = np.array([p for lines, ground in drawn for p in [q for _, line in lines for q in line] + ground])
    low, high = every.min(axis=0), every.max(axis=0)
    size = np.maximum(high - low, 1e-3)
    scale = min((WIDTH - 2 * MARGIN) / size[0], (HEIGHT - 2 * MARGIN) / size[1])
    middle = 0.5 * (low + high)

    def place(p):
        return f"{WIDTH / 2 + scale * (p[0] - middle[0]):.1f},{HEIGHT / 2 - scale * (p[1] - middle[1]):.1f}"

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for k, (lines, ground) in enumerate(drawn):
        text.append(f'<g opacity="{0.25 + 0.75 * (k + 1) / len(drawn):.2f}" fill="none" stroke-width="2">')
        for body, line in lines:
            color = COLORS[body % len(COLORS)] if body >= 0 else "#999999"
            if len(line) == 1:
                x, y = place(line[0]).split(",")
                text.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>')
            else:
                text.append(f'<polyline points="{" ".join(place(p) for p in line)}" stroke="{color}"/>')
        text.append("</g>")
    for p in drawn[0][1]:
        x, y = (float(v) for v in place(p).split(","))
        text.append(f'<path d="M{x:.1f},{y:.1f} l-5,9 h10 z" fill="#444444"/>')
    length = 10.0 ** np.floor(np.log10(0.4 * WIDTH / scale))
    text.append(f'<path d="M12,{HEIGHT - 12} h{length * scale:.1f}" stroke="#444444"/>')
    text.append(f'<text x="12" y="{HEIGHT - 18}" font-family="sans-serif" font-size="11">{length:g} m</text>')
    return "\n".join(text + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Draws the built-in models")
    parser.add_argument("program", help="build/release/tactus")
    parser.add_argument("models", nargs="*", help="default: all")
    parser.add_argument("--check", action="store_true", help="compare the pictures with what would be drawn")
    options = parser.parse_args()
    chosen = [name for name in MODELS if not options.models or name.split(":")[0] in options.models]
    pictures = {name.split(":")[0]: draw(options.program, name, *MODELS[name]) for name in chosen}
    picture_file.finish(pictures, options.check)


if __name__ == "__main__":
    main()
