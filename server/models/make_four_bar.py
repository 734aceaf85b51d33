#!/usr/bin/python3
"""Writes four_bar.json and four_bar_up.json: one parallelogram of three rods, let go below and above the horizontal.

    server/models/make_four_bar.py            writes both files
    server/models/make_four_bar.py --check    says whether they are what this script makes

Gravity points along -y. The two models are mirror images in the plane y = 0 but for gravity.
"""
import math

import model_file


# Cosine and sine of 45 and 22.5 degrees. Two of them differ from math.cos in the last bit; they stay, because the
# state hashes of both models depend on every bit.
COS_45, SIN_45 = 0.7071067811865477, 0.7071067811865476
COS_22, SIN_22 = 0.9238795325112866, 0.3826834323650898


def make(name, description, side):
    """The model with its second pivot at y = side and its crank 45 degrees to that side; side is -1 or +1."""
    crank = math.pi / 4 * side
    x, y = 0.5 * COS_45, 0.5 * SIN_45  # of the crank's center, y to the side
    slanted = [COS_22, 0, 0, SIN_22 * side]  # Euler parameters, scalar first: a turn about z to the side
    upright = [COS_45, 0, 0, SIN_45 * side]
    rod = dict(mass=1, inertia=dict(xx=1, yy=1, zz=1))

    def body(letter, position, orientation):
        return dict(name=letter) | rod | dict(position=position, orientation=orientation)

    def revolute(number, body_1, point_1, body_2, point_2, angle):
        return dict(name=f"joint_{number}", body_1=body_1, body_2=body_2, revolute=dict(
            point_1=point_1, point_2=point_2, axis_1=[0, 0, 1], axis_2=[0, 0, 1], initial_angle=angle))

    near, far = [-0.5, 0, 0], [0.5, 0, 0]
    return dict(
        name=name, description=description, gravity=[0, -9.81, 0],
        bodies=[
            body("a", [x, side * y, 0], slanted),
            body("b", [2 * x, side * (2 * y + 0.5), 0], upright),
            body("c", [x, side * (1 + y), 0], slanted)],
        joints=[
            revolute(1, "ground", [0, 0, 0], "a", near, crank),
            revolute(2, "a", far, "b", near, crank),
            revolute(3, "b", far, "c", far, -crank),
            revolute(4, "ground", [0, side, 0], "c", near, crank)],
        actuators=[dict(name="motor", description="Torque on a about the axis of joint_1.", minimum=-50, maximum=50,
                        safe=0, on_loss=dict(action="LOSS_ACTION_HOLD"), joint_torque=dict(joint="joint_1"))],
        sensors=[dict(name="angle", description="Angle of a, from the world x axis.",
                      joint_angle=dict(joint="joint_1"))])


def main():
    below = make(
        "four_bar", "Hanging parallelogram of spatial revolutes: redundant constraints and a singular pose.", -1)
    above = make("four_bar_up", "The parallelogram started above its pivot: it folds flat on its way round.", 1)
    model_file.main([below, above | dict(solver=dict(third_order=True))])


if __name__ == "__main__":
    main()
