"""Inverse dynamics, kinematic analysis and sensitivities have the values of closed forms."""
# Covers: clients/python/tactus/prescribed_motion.py, clients/python/tactus/sensitivities.py
# Covers: clients/python/native/sensitivity.cpp

import numpy as np
import pytest

import tactus
from conftest import needs_native
from tactus import build

pytestmark = needs_native
PERIOD, TICKS = 1e-3, 500
T = PERIOD * np.arange(TICKS + 1)


def pendulum():
    """A slender box of 2 kg, 1 m long, that hangs from its end; J about the hinge."""
    model = build.Model("pendulum", gravity=[0, 0, -9.81], solver={"period": PERIOD})
    bob = model.body("bob", build.Box([0.1, 0.1, 1.0], mass=2.0), at=[0, 0, -0.5])
    model.revolute("hinge", "ground", bob, at=[0, 0, 0], along=[0, 1, 0])
    return model, 2.0 * (0.1**2 + 1.0**2) / 12 + 2.0 * 0.5**2


def swing(t, rate=3.0):
    return np.column_stack([0.5 * (1 - np.cos(rate * t)), 0.5 * rate * np.sin(rate * t), 0.5 * rate**2 * np.cos(rate * t)])


def test_the_torque_of_a_pendulum_is_that_of_its_equation_of_motion():
    model, J = pendulum()
    q = swing(T)
    motion = tactus.prescribe(model.to_dict(), {"hinge": q}, outputs=["bob.r.*", "bob.alpha.y"])
    torque = (J * q[:, 2] + 2.0 * 9.81 * 0.5 * np.sin(q[:, 0]))[1:]
    # After the first ticks, which find the multipliers, the balance holds to the tolerance of the Newton iteration.
    np.testing.assert_allclose(motion.loads["hinge"][10:], torque[10:], atol=1e-8)
    # Positions and accelerations follow the drive to round-off.
    np.testing.assert_allclose(motion.block["bob.r.x"], -0.5 * np.sin(q[1:, 0]), atol=1e-12)
    np.testing.assert_allclose(motion.block["bob.alpha.y"][1:], q[2:, 2], atol=1e-9)


def test_the_force_of_a_crane_is_that_of_its_masses():
    M, m, g = 200.0, 500.0, 9.81
    model = build.Model("crane", gravity=[0, 0, -g], solver={"period": PERIOD})
    trolley = model.body("trolley", build.Box([1, 0.6, 0.3], mass=M), at=[0, 0, 8])
    load = model.body("load", build.Box([1, 1, 1], mass=m), at=[0, 0, 3])
    model.prismatic("rail", "ground", trolley, at=trolley.point([0, 0, 0]), along=[1, 0, 0])
    model.revolute("rope", trolley, load, at=trolley.point([0, 0, 0]), along=[0, 1, 0])
    travel = swing(T)
    # The rope held upright: both masses have the acceleration of the trolley.
    motion = tactus.prescribe(model.to_dict(), {"rail": travel, "rope": np.zeros((TICKS + 1, 3))})
    # After the first ticks, which find the multipliers, the balance holds to the tolerance of the Newton iteration
    # relative to the loads: 3e-8 of 3 kN and of 10 kN m.
    np.testing.assert_allclose(motion.loads["rail"][10:], (M + m) * travel[11:, 2], atol=1e-4)
    # A positive angle turns the load to -x; the held load, 5 m below, is pushed by m a at that arm.
    np.testing.assert_allclose(motion.loads["rope"][10:], -m * 5 * travel[11:, 2], atol=1e-4)
    # The rope free: the acceleration of the load follows from its swing.
    free = tactus.prescribe(model.to_dict(), {"rail": travel}, outputs=["load.a.x"])
    np.testing.assert_allclose(free.loads["rail"][10:], (M * travel[1:, 2] + m * free.block["load.a.x"])[10:], atol=1e-4)


def test_the_loads_make_the_motion_when_they_are_applied():
    model, _ = pendulum()
    motion = tactus.prescribe(model.to_dict(), {"hinge": swing(T)})
    model.joint_torque("motor", "hinge")
    simulation = tactus.Simulation(model)
    block = simulation.run(TICKS, inputs={"motor": motion.loads["hinge"]}, outputs=["hinge.angle"])
    # Second order in the period of 1 ms: 0.25 s^2 of angular acceleration off by the load of one tick.
    np.testing.assert_allclose(block["hinge.angle"], swing(T)[1:, 0], atol=2e-3)


def test_displacements_alone_get_their_rates_from_a_spline():
    pytest.importorskip("scipy")
    model, J = pendulum()
    full = tactus.prescribe(model.to_dict(), {"hinge": swing(T)})
    alone = tactus.prescribe(model.to_dict(), {"hinge": swing(T)[:, 0]})
    # A cubic spline has an acceleration of second order, and its ends are worse: J * 4.5 * 9 * 1e-6 / 12 within.
    np.testing.assert_allclose(alone.loads["hinge"][10:-10], full.loads["hinge"][10:-10], atol=1e-4)


def test_a_built_in_mechanism_is_driven_through_its_motion_by_the_power_of_its_drive():
    start = tactus.Simulation("motor_four_bar", period="1ms")["crank_angle"]
    q = np.column_stack([start + 0.5 * T**2, T, np.ones_like(T)])
    motion = tactus.prescribe("motor_four_bar", {"input": q}, period="1ms",
                              outputs=["crank_rate", "energy.kinetic", "energy.potential"])
    work = np.sum(motion.loads["input"] * motion.block["crank_rate"]) * PERIOD
    energy = motion.block["energy.kinetic"] + motion.block["energy.potential"]
    # Without friction the work of the torque is the change of the energy: to the sum of 500 rectangles of 1 ms.
    assert work == pytest.approx(energy[-1] - energy[0], rel=1e-2, abs=1e-3)
    np.testing.assert_allclose(motion.block["crank_rate"], T[1:], atol=1e-9)  # the constraint of velocity, at round-off


@pytest.mark.parametrize("motion, error, text", [
    ({"hinge": np.zeros((5, 2))}, ValueError, "shape"), ({"hinge": 1.0}, ValueError, "shape"),
    ({"hinge": np.zeros((5, 3)), "hinge_2": np.zeros((6, 3))}, ValueError, "different numbers of ticks"),
    ({"hing": np.zeros((5, 3))}, tactus.ModelInvalid, "hing"),
    ({"hinge": np.full((5, 3), 0.4)}, ValueError, "begins at 0.4 rad, and the declared state of the model has 0 rad"),
])
def test_a_motion_that_does_not_fit_is_refused(motion, error, text):
    with pytest.raises(error, match=text):
        tactus.prescribe(pendulum()[0].to_dict(), motion)


def sled():
    model = build.Model("sled", gravity=[0, 0, 0], solver={"period": PERIOD})
    body = model.body("body", build.Box([1, 1, 1], mass=2.0), at=[0, 0, 0])
    model.prismatic("rail", "ground", body, at=[0, 0, 0], along=[1, 0, 0])
    model.body_force("push", body, direction=[1, 0, 0])
    content = model.to_dict()
    content["parameters"] = [{"name": "mass", "unit": "kg", "targets": ["bodies.body.mass"]}]
    return content


def test_the_sensitivity_of_a_pushed_sled_to_its_mass_is_that_of_its_closed_form():
    result = tactus.sensitivity(sled(), TICKS, ["mass"], outputs=["body.r.x", "body.v.x"], inputs={"push": 6.0}, every=100)
    t = result.sim_time
    np.testing.assert_allclose(t, [0.1, 0.2, 0.3, 0.4, 0.5])
    # x = F t^2 / 2 m. The ticks begin with half a force in the first one at most: 1 ms in t.
    np.testing.assert_allclose(result.nominal[:, 0], 6.0 * t**2 / (2 * 2.0), atol=6.0 / 2.0 * PERIOD)
    np.testing.assert_allclose(result.to("body.r.x", "mass"), -result.nominal[:, 0] / 2.0, rtol=1e-7)
    np.testing.assert_allclose(result.to("body.v.x", "mass"), -result.nominal[:, 1] / 2.0, rtol=1e-7)
    assert np.all(result.error < 1e-7 * abs(result.values))  # both methods are exact up to round-off here


def test_the_linearized_sensitivities_of_a_car_are_those_of_differences():
    names = ["chassis_mass", "bar_front", "tyre_stiffness", "drag"]
    result = tactus.sensitivity("sedan", "200ms", names, outputs=["chassis.v.x", "chassis.r.z"], 
                                inputs={"throttle": 0.5, "steering": 0.05}, every=50)
    assert np.all(abs(result.values).max(axis=(0, 1)) > 0)
    # Beside the time step, internal states of tyres at their kinks leave this.
    assert np.all(result.error.max(axis=0) < 1e-2 * abs(result.values).max(axis=0))


def test_sensitivities_of_a_four_bar_are_the_differences_of_other_steps():
    names = ["rocker_mass", "gravity_y"]
    result = tactus.sensitivity("motor_four_bar", "200ms", names, outputs=["crank_angle"], nominal={"rocker_mass": 2.0})
    for column, (name, step) in enumerate(zip(names, (1e-2, 1e-2))):
        def end(value):
            base = {"rocker_mass": 2.0} | {name: value}
            return tactus.Simulation("motor_four_bar", parameters=base).run("200ms", outputs=["crank_angle"]).values[-1, 0]

        about = {"rocker_mass": 2.0}.get(name, tactus.Simulation("motor_four_bar").parameters[name])
        slope = (end(about + step) - end(about - step)) / (2 * step)
        assert result.values[-1, 0, column] == pytest.approx(slope, rel=1e-3)  # differences of second order, step 1e-2


@pytest.mark.parametrize("method", ["linearized", "differences"])
def test_a_parameter_at_a_limit_moves_to_the_side_that_is_allowed(method):
    def at(mass, step=1e-3):
        return tactus.sensitivity("motor_four_bar", "200ms", ["gravity_y", "rocker_mass"], outputs=["crank_angle", "crank_rate"],
                                  nominal={"rocker_mass": mass}, relative_step=step, every=20, method=method)

    limits = tactus.build.read("motor_four_bar").to_dict()["parameters"]
    low, high = next((entry["minimum"], entry["maximum"]) for entry in limits if entry["name"] == "rocker_mass")
    for mass, side in ((low, 1), (high, -1)):
        found = at(mass)
        assert found.sides == (0, side)
        # The derivative is smooth: a thousandth inside of the limit it is almost the same, from both sides.
        inside = at(mass * (1 + side * 1e-3), step=5e-4)
        assert inside.sides == (0, 0)
        np.testing.assert_allclose(found.values, inside.values, rtol=0, atol=3e-3 * abs(inside.values).max())
        assert np.all(found.error < 1e-3 * abs(found.values).max())


def test_a_damping_of_zero_moves_up_only():
    content = sled()
    content["forces"] = [{"name": "drag", "translational_spring": {
        "body_1": "ground", "body_2": "body", "point_1": [-1, 0, 0], "point_2": [0, 0, 0], "stiffness": 0, "damping": 0}}]
    content["parameters"] = [{"name": "damping", "unit": "N s/m", "targets": ["forces.drag.damping"]}]
    result = tactus.sensitivity(content, TICKS, ["damping"], outputs=["body.r.x"], inputs={"push": 6.0}, every=100)
    assert result.sides == (1,)
    # m dx'' = -x' = -F t / m: dx = -F t^3 / 6 m^2. The force begins within the first tick.
    np.testing.assert_allclose(result.values[:, 0, 0], -6.0 * result.sim_time**3 / (6 * 4.0), rtol=0.04)


def test_a_name_that_a_sensitivity_has_not_is_told():
    found = tactus.sensitivity("motor_four_bar", 5, ["rocker_mass"], outputs="crank_angle")
    for names in (("crank", "rocker_mass"), ("crank_angle", "mass")):
        with pytest.raises(ValueError, match="is not among the (signals|parameters) of this result: (crank_angle|rocker_mass)"):
            found.to(*names)


def test_a_sensitivity_that_cannot_be_had_says_why():
    for arguments, error, text in (
        ({"parameters": ["rocker_mas"]}, tactus.ParameterUnknown, "rocker_mass"), ({"parameters": []}, ValueError, "empty"),
        ({"nominal": {"rocker_mass": 5.1}}, tactus.ValueOutOfRange, "rocker_mass"),
        ({"relative_step": 0.999, "nominal": {"rocker_mass": 2.6}}, tactus.ValueOutOfRange, "rocker_mass"),
        ({"relative_step": 0.0}, ValueError, "relative_step"), ({"outputs": "crank"}, tactus.SignalUnknown, "crank"),
        ({"outputs": []}, ValueError, "outputs is empty"),
        ({"method": "adjoint"}, ValueError, "linearized"), ({"outputs": "energy.input"}, tactus.TactusError, "sum over the run"),
    ):
        with pytest.raises(error, match=text):
            tactus.sensitivity("motor_four_bar", 10, **{"parameters": ["rocker_mass"], "outputs": "crank_angle"} | arguments)
    native = tactus.Simulation("motor_four_bar")._native
    for signals, ticks, every in (([], 5, 1), (["crank_angle"], 0, 1), (["crank_angle"], 5, 0)):  # no room for rows of sensors
        with pytest.raises(tactus.RequestInvalid):
            native.sensitivity(ticks, ["rocker_mass"], [1e-3], [0], signals, np.zeros((5, 1)), every)


def test_a_motion_that_begins_with_a_rate_gives_it_to_the_mechanism():
    model, J = pendulum()
    rate = 4.0  # rad/s: 2 m/s at the center, far beyond the limit of an assembly
    q = np.column_stack([0.3 * np.sin(rate / 0.3 * T), rate * np.cos(rate / 0.3 * T), -(rate**2) / 0.3 * np.sin(rate / 0.3 * T)])
    motion = tactus.prescribe(model, {"hinge": q}, outputs=["bob.omega.y"])
    np.testing.assert_allclose(motion.block["bob.omega.y"], q[1:, 1], atol=1e-9)  # as the drive, to round-off
    torque = (J * q[:, 2] + 2.0 * 9.81 * 0.5 * np.sin(q[:, 0]))[1:]
    # After the first ticks, which find the multipliers, to the tolerance of the Newton iteration: 1e-7 of 40 N m.
    np.testing.assert_allclose(motion.loads["hinge"][10:], torque[10:], atol=4e-6)


@pytest.mark.parametrize("of", [np.array, tuple, iter])
def test_the_outputs_of_a_prescribed_motion_may_be_an_array_of_names(of):
    model, _ = pendulum()
    names = ["bob.r.x", "bob.omega.y"]
    motion = tactus.prescribe(model, {"hinge": swing(T)[:5]}, outputs=of(names))
    assert list(motion.block.names) == names
    assert list(tactus.prescribe(model, {"hinge": swing(T)[:5]}, outputs=of([])).block.names) == []


def test_a_joint_without_a_name_is_a_finding():
    model, _ = pendulum()
    content = model.to_dict()
    del content["joints"][0]["name"]
    with pytest.raises(tactus.ModelInvalid, match=r"joints\[0\].name"):
        tactus.prescribe(content, {"hinge": swing(T)})
