"""Shapes for the visuals of bodies: each function returns one element of `visuals`.

Outlines of prisms are given in the plane of a body that a car shows from its left side: x forward, z up.
"""
import math

SIN_45 = math.sqrt(0.5)
# From the frame of a shape to that of the body: z of the shape to -y of the body, and z of the shape to x of the body.
Z_TO_RIGHT = [SIN_45, SIN_45, 0, 0]
Z_TO_FRONT = [SIN_45, 0, SIN_45, 0]


def numbers(values):
    """Rounded to a tenth of a millimeter."""
    return [round(float(v), 4) + 0.0 for v in values]


def look(name, color=None, opacity=None):
    return dict(name=name) | (dict(color=list(color)) if color else {}) | (dict(opacity=opacity) if opacity else {})


def box(name, position, sides, **rest):
    return look(name, **rest) | dict(position=numbers(position), box=dict(sides=numbers(sides)))


def side_prism(name, corners, width, y=0.0, **rest):
    """A prism of the width across the car with its middle at y; corners are (x, z) in the body frame."""
    outline = numbers(v for corner in corners for v in corner)
    return look(name, **rest) | dict(position=numbers((0, y, 0)), orientation=Z_TO_RIGHT,
                                     prism=dict(outline=outline, length=width))


def arch(x, z, radius, bottom):
    """Corners of a wheel arch about (x, z), from rear to front, with its feet at the height `bottom`."""
    foot = math.asin((bottom - z) / radius)
    begin, end, steps = math.pi - foot, foot, 12
    angles = [begin + (end - begin) * k / steps for k in range(steps + 1)]
    return [(x + radius * math.cos(a), z + radius * math.sin(a)) for a in angles]


def car_body(lower, cabin, roof, width, cabin_width, paint, glass=(0.13, 0.17, 0.22)):
    """A painted lower part, a cabin of glass, and a painted roof on three pillars a side.

    lower   outline of the lower part, (x, z)
    cabin   four corners of the cabin: front foot, front of the roof, rear of the roof, rear foot
    roof    thickness of the roof, m
    """
    (x_1, z_1), (x_2, z_2), (x_3, z_3), (x_4, z_4) = cabin
    shapes = [side_prism("lower part", lower, width, color=paint),
              side_prism("glass", cabin, cabin_width, color=glass, opacity=0.55),
              side_prism("roof", [(x_2, z_2), (x_3, z_3), (x_3 - 0.02, z_3 + roof), (x_2 + 0.02, z_2 + roof)],
                         cabin_width + 0.02, color=paint)]
    feet = [((x_1, z_1), (x_2, z_2)), ((0.5 * (x_2 + x_3), 0.5 * (z_1 + z_4)), (0.5 * (x_2 + x_3), z_3)),
            ((x_4, z_4), (x_3, z_3))]
    for side, sign in (("left", 1), ("right", -1)):
        shapes += [side_prism(f"{pillar} pillar, {side}",
                              [(x - 0.03, z), (x + 0.03, z), (top + 0.03, height), (top - 0.03, height)], 0.05,
                              y=sign * (0.5 * cabin_width - 0.02), color=paint)
                   for pillar, ((x, z), (top, height)) in zip(("front", "middle", "rear"), feet)]
    return shapes


def lights(front, rear, y, sides):
    """Pairs of lights; front and rear are (x, z) of their middles."""
    shapes = []
    for side, sign in (("left", 1), ("right", -1)):
        shapes += [box(f"headlight, {side}", (front[0], sign * y, front[1]), sides, color=(0.95, 0.95, 0.85)),
                   box(f"rear light, {side}", (rear[0], sign * y, rear[1]), sides, color=(0.75, 0.08, 0.08))]
    return shapes
