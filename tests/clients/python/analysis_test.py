"""Analyses in this process: closed forms, and the numbers of `tactus analyse` and `tactus run --integrator`."""
# Covers: clients/python/tactus/analysis.py, clients/python/tactus/simulation_analyses.py, clients/python/tactus/offline_run.py
# Covers: clients/python/native/analysis.cpp, clients/python/native/analysis_module.cpp

import json
import math
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native
from tactus import build

pytestmark = needs_native


def report(*arguments):
    """JSON of `tactus analyse`; exit code 1 is a finding."""
    result = subprocess.run([BUILD / "tactus", "analyse", *arguments, "--json"], capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def pendulum():
    """Mass 2 kg on a rod of 0.5 m, 0.4 N s/m of drag, driven by a torque."""
    model = build.Model("pendulum", gravity=[0, 0, -9.81])
    bob = model.body("bob", build.Sphere(0.05, mass=2), at=[0.3, 0, -0.4])
    model.revolute("hinge", "ground", bob, at=[0, 0, 0], along=[0, 1, 0])
    model.body_drag("drag", bob, linear=0.4)
    model.joint_torque("motor", "hinge", minimum=-9, maximum=9)
    model.joint_angle("angle", "hinge")
    return tactus.Simulation(model, period="1ms")


INERTIA = 2 * 0.25 + 0.4 * 2 * 0.05**2  # about the hinge, kg m^2
STIFFNESS = 2 * 9.81 * 0.5  # N m/rad, about the lowest pose


def test_a_pendulum_has_the_equilibrium_the_matrices_and_the_response_of_the_closed_form(pendulum):
    start = pendulum.state_hash
    found = pendulum.equilibrium()
    assert (found.freedoms, found.unstable, found.singular) == (1, 0, False)
    assert pendulum.state_hash == start
    pendulum.restore(found.saved)
    # Newton's method stops at 1e-9 of the largest load or better.
    assert pendulum.body("bob").r == pytest.approx([0, 0, -0.5], abs=1e-8)
    system = pendulum.linearize()
    assert system.states == ["hinge.angle", "hinge.rate"] and system.outputs == ["angle"]
    assert system.is_equilibrium
    damping = 0.4 * 0.25 / INERTIA
    # B, C, D and the derivatives of loads are central differences: 1e-7 or better of their size.
    np.testing.assert_allclose(system.A, [[0, 1], [-STIFFNESS / INERTIA, -damping]], rtol=1e-6, atol=1e-7)  # differences
    np.testing.assert_allclose(system.B, [[0], [1 / INERTIA]], rtol=1e-6, atol=1e-9)  # differences
    omega = math.sqrt(STIFFNESS / INERTIA)
    mode = system.modes()[0]
    assert (mode.kind, mode.omega) == ("oscillation", pytest.approx(omega, rel=1e-6))  # of A
    assert mode.damping == pytest.approx(damping / 2 / omega, rel=1e-6)  # of A
    s = 2j * math.pi * np.array([0.1, 0.7, 5])
    expected = 1 / (INERTIA * (s**2 + damping * s) + STIFFNESS)
    np.testing.assert_allclose(system.response([0.1, 0.7, 5])[:, 0, 0], expected, rtol=1e-6)  # of A and B


def test_a_simulation_at_an_equilibrium_stays_there_and_a_trim_holds_its_angle(pendulum):
    held = pendulum.trim({"angle": 0.1}, free=["motor"])
    pendulum.restore(held.saved)
    assert pendulum["angle"] == pytest.approx(0.1, abs=1e-9)  # where Newton's method stops
    # The angle counts from the declared pose, atan(3/4) from the lowest one.
    expected = STIFFNESS * math.sin(abs(0.1 - math.atan2(3, 4)))
    assert abs(held.inputs["motor"]) == pytest.approx(expected, rel=1e-7)
    pendulum.run("1s")
    assert pendulum["angle"] == pytest.approx(0.1, abs=1e-6)
    assert pendulum.trim({"angle": -1.2}, free=["motor"]).out_of_range == ("motor",)


def test_matrices_and_modes_are_those_of_the_program():
    expected = report("linearize", "motor_four_bar", "--input", "motor=0.5", "--outputs", "crank_*")
    simulation = tactus.Simulation("motor_four_bar")
    simulation.set_inputs({"motor": 0.5})
    system = simulation.linearize(outputs=["crank_*"])
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(system, name), expected[name])
    assert system.states == [state["name"] for state in expected["states"]]
    assert system.outputs == [output["name"] for output in expected["outputs"]]
    modes = report("modes", "cantilever:n=6")["modes"]
    found = tactus.Simulation("cantilever:n=6").linearize().modes()
    assert [mode.frequency for mode in found[: len(modes)]] == [mode["frequency"] for mode in modes]


def test_an_analysis_uses_the_parameters_in_force():
    simulation = tactus.Simulation("motor_four_bar")
    before = simulation.linearize().A
    simulation.set_parameters(rocker_mass=3.0)
    simulation.step()
    simulation.reset()
    np.testing.assert_array_equal(simulation.linearize().A, before)
    heavy = tactus.Simulation("motor_four_bar", parameters={"rocker_mass": 3.0}).linearize().A
    simulation.set_parameters(rocker_mass=3.0)
    np.testing.assert_array_equal(simulation.linearize().A, heavy)
    assert not np.array_equal(heavy, before)


def test_an_offline_method_gives_the_numbers_of_the_program(tmp_path):
    rows = 0.5 * np.sin(0.05 * np.arange(200))
    table = tmp_path / "inputs.csv"
    table.write_text("t,motor\n" + "".join(f"{(k + 1) * 1e-3!r},{value!r}\n" for k, value in enumerate(rows.tolist())))
    method = "newmark-tangent"
    subprocess.run([BUILD / "tactus", "run", "motor_four_bar", "--integrator", method, "--until", "200ms", "--step",
                    "1ms", "--inputs", table, "--out", tmp_path / "run.csv", "--signals", "crank_angle,energy.total"],
                   check=True, capture_output=True)
    expected = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, deletechars="")
    run = tactus.offline("motor_four_bar", integrator=method, until="200ms", inputs=rows,
                         outputs=["crank_angle", "energy.total"])
    np.testing.assert_allclose(run.time, expected["t"], rtol=1e-15)  # the file rounds times to a nanosecond
    np.testing.assert_array_equal(run.column("crank_angle"), expected["crank_angle"])
    assert run.units["crank_angle"] == "rad" and run.figures["steps"] == 200


def test_settings_of_an_offline_method_have_the_names_of_tactus_integrators(tmp_path):
    def angles(**settings):
        return tactus.offline("four_bar", integrator="lms2", until="100ms", step="10ms", outputs=["angle"], **settings).values

    out = tmp_path / "run.csv"
    subprocess.run([BUILD / "tactus", "run", "four_bar", "--integrator", "lms2", "--until", "100ms", "--step", "10ms",
                    "--set", "rho_inf=0.5", "--out", out, "--signals", "angle"], check=True, capture_output=True)
    expected = np.genfromtxt(out, delimiter=",", skip_header=1)[:, 1:]
    np.testing.assert_array_equal(angles(rho_inf=0.5), expected)
    assert not np.array_equal(angles(rho_inf=0.9), expected)
    angles(relative_compliance=1e-9, adaptive=False)
    with pytest.raises(tactus.TactusError, match="did you mean 'rho_inf'"):
        angles(rho_imf=0.5)


def test_an_offline_method_keeps_its_order_with_inputs():
    def angle(step):
        return tactus.offline("motor_four_bar", integrator="newmark-tangent", until=0.1, step=step,
                              inputs={"motor": 0.3}, outputs=["crank_angle"]).column("crank_angle")[-1]

    exact = angle("50us")
    errors = [abs(angle(step) - exact) for step in ("2ms", "1ms")]
    assert 3.5 < errors[0] / errors[1] < 4.5  # 4 at order 2; 2 if the motion begins without the input


def test_an_offline_method_with_inputs_needs_no_stable_tick():
    content = json.loads(tactus._native.model_content("flexible_arm", None)) | {"solver": {"period": 0.05, "third_order": True}}
    with pytest.raises(tactus.ModelInvalid):
        tactus.Simulation(content)
    options = {"integrator": "newmark-tangent", "step": 5e-4, "until": "5ms", "outputs": "motor"}
    assert tactus.offline(content, **options).column("motor")[-1] == 0.0
    assert tactus.offline(content, inputs={"motor": 1.0}, **options).column("motor")[-1] == 1.0
    with pytest.raises(tactus.SignalUnknown, match='did you mean "motor"'):
        tactus.offline(content, inputs={"moto": 1.0}, **options)


@pytest.mark.parametrize("settings", [{}, {"third_order": True}, {"fourth_order": True}])
def test_the_step_of_the_server_offline_begins_as_a_session_does(settings):
    rows = 0.5 * np.cos(0.05 * np.arange(100))
    simulation = tactus.Simulation("motor_four_bar", period="1ms", **settings)
    ticks = simulation.run(100, inputs=rows, outputs=["crank_angle"])
    run = tactus.offline("motor_four_bar", integrator="ali3p", until="100ms", inputs=rows, outputs=["crank_angle"], **settings)
    # The start is the same but for its rounding, 1e-15, which grows along this motion to 1e-12.
    np.testing.assert_allclose(run.column("crank_angle")[1:], ticks["crank_angle"], rtol=0, atol=1e-11)


def interrupted_after(seconds, work):
    """How long work goes on after Ctrl-C, s; without it the work takes many seconds, or minutes."""
    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sent = []
    threading.Timer(seconds, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        work()
    return time.monotonic() - sent[0]


def test_ctrl_c_ends_a_linearization():
    # Its first part, before the first column, takes seconds and does not look at the flag.
    long = tactus.Simulation("chain:n=400")
    assert interrupted_after(0.5, long.linearize) < 10
    long.step()
    assert long.tick == 1


def test_ctrl_c_ends_the_search_for_an_equilibrium():
    arm = tactus.Simulation("cantilever:n=400")
    # It takes minutes, and a factorization or a table of derivatives within it takes seconds.
    assert interrupted_after(1.5, lambda: arm.equilibrium(200)) < 10
    arm.step()  # while the thread of the search may still go on with its own data
    assert arm.tick == 1


def test_ctrl_c_ends_a_sensitivity_within_a_tick():
    arm = build.read("cantilever:n=400")
    arm.parameter("fall", targets=["gravity[1]"])
    # The equations at one tick take minutes, and nothing looks at the flag within them.
    assert interrupted_after(1.5, lambda: tactus.sensitivity(arm, 2, ["fall"], outputs=["energy.kinetic"])) < 10


def test_ctrl_c_ends_modes_and_the_rank_of_a_pose():
    system = tactus.Simulation("cantilever:n=64").linearize()
    assert interrupted_after(0.3, system.modes) < 3  # the eigenvalues of a matrix of 768 rows take 4 s
    long = tactus.Simulation("chain:n=400")
    assert interrupted_after(0.3, long.pose) < 4  # the singular values of one of 1200 rows take 7 s


@pytest.mark.parametrize("integrator", ["newmark-tangent", "rn4", "cvode-bdf"])
def test_ctrl_c_ends_a_reference_method_also_within_a_step(integrator):
    if integrator not in tactus.integrators():
        pytest.skip("SUNDIALS is not installed")
    # A step of the second one takes a second.
    assert interrupted_after(0.5, lambda: tactus.offline("chain:n=128", integrator=integrator, until="1000s",
                                                         outputs=["energy.total"], every=1000)) < 10


def test_files_for_other_programs_have_the_same_matrices(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    system = tactus.Simulation("motor_four_bar").linearize()
    system.to_mat(tmp_path / "system.mat")
    read = scipy_io.loadmat(tmp_path / "system.mat")
    np.testing.assert_array_equal(read["A"], system.A)
    assert [str(name[0]) for name in read["states"].ravel()] == system.states
    np.testing.assert_array_equal(system.to_scipy().B, system.B)
    try:
        import control  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError):
            system.to_control()
    else:
        np.testing.assert_array_equal(system.to_control().A, system.A)


def test_what_has_no_result_says_why(pendulum):
    for call, error, text in (
        (lambda: pendulum.linearize(outputs=["angel"]), tactus.SignalUnknown, "angle"),
        (lambda: pendulum.trim({"angle": 0.1}), tactus.AnalysisFailed, ""),
        (lambda: pendulum.trim({"*": 0.1}), tactus.RequestInvalid, "glob"),
        (lambda: pendulum.trim({}), tactus.RequestInvalid, "at least one"),
        (lambda: pendulum.trim({"angle": 0.1}, free=["moto"]), tactus.SignalUnknown, "motor"),
        (lambda: pendulum.equilibrium(0), tactus.RequestInvalid, "load_steps"),
        (lambda: pendulum.linearize().response([math.nan]), ValueError, "finite"),
        (lambda: tactus.offline("four_bar", integrator="newmark", until="1s"), tactus.RequestInvalid, "newmark"),
        (lambda: tactus.offline("four_bar", integrator="ali3p", until="1s", outputs="ennergy.total"),
         tactus.SignalUnknown, "energy.total"),
        (lambda: tactus.offline("motor_four_bar", integrator="ali3p", until="2ms", inputs=[[1e9], [0]]),
         tactus.ValueOutOfRange, "motor"),
    ):
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("grade", [0.05, -0.02])
def test_a_car_that_is_trimmed_on_a_slope_keeps_its_speed_in_time(grade):
    angle = math.atan(grade)
    content = build.read("sedan").to_dict() | {"gravity": [-9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)]}
    simulation = tactus.Simulation(content)
    simulation.set_inputs({"gear_ratio": 1.4})
    trim = simulation.trim({"speed": 20.0}, free=["throttle"], moving=True)
    level = tactus.Simulation("sedan")
    level.set_inputs({"gear_ratio": 1.4})
    flat = level.trim({"speed": 20.0}, free=["throttle"], moving=True)
    assert (trim.inputs["throttle"] > flat.inputs["throttle"]) == (grade > 0) and trim.out_of_range == ()
    simulation.restore(trim.saved)
    block = simulation.run("2s", outputs=["speed", "yaw_rate"])
    # The trim is that of the equations; the ticks of 1 ms settle 2e-4 of the speed beside it.
    np.testing.assert_allclose(block["speed"], 20.0, atol=1e-2)
    assert abs(block["yaw_rate"]).max() < 1e-7  # rad/s; the car is symmetric, and a trim ends within round-off of it
    simulation.restore(trim.saved)
    simulation.set_inputs({"throttle": flat.inputs["throttle"]})
    # With the throttle of level ground the weight along the slope, 9.81 m/s^2 * grade, tells within a second.
    assert (20.0 - simulation.run("1s", outputs=["speed"])["speed"][-1]) / grade > 3


def test_a_pose_has_its_redundant_rows_and_a_path_falls_towards_a_singular_one():
    simulation = tactus.Simulation("motor_four_bar", period="1ms")
    poses = []
    simulation.run(200, inputs=lambda now: poses.append(now.pose()), hold=20)
    # A plane four-bar of four spatial hinges: 20 rows for 18 motions of 3 bodies, of which one is left.
    assert [(pose.rows, pose.rank, pose.freedoms, pose.singular) for pose in poses] == [(20, 17, 1, False)] * 10
    assert all(0 < pose.margin < 1 for pose in poses)
    # A pendulum in the plane has no pose that is singular, and its margin stays.
    pendulum = tactus.Simulation("spatial_pendulum")
    assert pendulum.pose().rows == pendulum.pose().rank and not pendulum.pose().singular
    # `four_bar` hangs with all rods on one line: one more motion is free there.
    hanging = tactus.Simulation("four_bar")
    before = hanging.pose()
    found = hanging.equilibrium()
    hanging.restore(found.saved)
    after = hanging.pose()
    assert (before.singular, after.singular, after.freedoms) == (False, True, before.freedoms + 1)


def cornering_stiffness(tyre, load):
    """Lateral force over the tangent of the slip angle near zero, N, from `tactus model tyre`."""
    table = subprocess.run([BUILD / "tactus", "model", "tyre", "sedan", tyre], capture_output=True, text=True, check=True)
    rows = np.genfromtxt(table.stdout.splitlines(), delimiter=",", names=True)
    loads = np.unique(rows["load"])
    slopes = []
    for one in loads:
        near = rows[rows["load"] == one]
        near = near[np.argsort(abs(near["slip"]))[:3]]
        slopes.append(abs(np.polyfit(near["slip"], near["lateral"], 1)[0]))
    return np.interp(load, loads, slopes)


def test_a_car_at_20_m_s_has_the_eigenvalues_of_a_bicycle_with_relaxing_tyres():
    # Stiff bars and a steering wheel that is held: the bicycle neither rolls nor gives.
    stiff = {"steering_hold": 2000.0, "bar_front": 5000.0, "bar_rear": 5000.0}
    simulation = tactus.Simulation("sedan", parameters=stiff)
    simulation.set_inputs({"gear_ratio": 1.4})
    simulation.restore(simulation.trim({"speed": 20.0}, free=["throttle"], moving=True).saved)
    found = [mode.eigenvalue for mode in simulation.linearize().modes()]

    bodies = build.read("sedan").to_dict()["bodies"]
    m = sum(body["mass"] for body in bodies)
    x = sum(body["mass"] * body["position"][0] for body in bodies) / m
    J = sum(body["inertia"]["zz"] + body["mass"] * ((body["position"][0] - x) ** 2 + body["position"][1] ** 2)
            for body in bodies)
    axle = {body["name"]: body["position"][0] - x for body in bodies if body["name"] in ("wheel_fl", "wheel_rl")}
    a, b = axle["wheel_fl"], -axle["wheel_rl"]
    Cf, Cr = (2 * cornering_stiffness(tyre, simulation[f"{tyre}.load"]) for tyre in ("tyre_fl", "tyre_rl"))
    V, relaxation = 20.0, 0.4  # m/s, m
    bicycle = np.array([  # lateral velocity, yaw rate, lateral forces of the axles
        [0, -V, 1 / m, 1 / m], [0, 0, a / J, -b / J],
        [-Cf / relaxation, -Cf * a / relaxation, -V / relaxation, 0],
        [-Cr / relaxation, Cr * b / relaxation, 0, -V / relaxation]])
    expected = min(np.linalg.eigvals(bicycle), key=abs)
    nearest = min(found, key=lambda value: abs(abs(value.real) - abs(expected.real)) + abs(abs(value) - abs(expected)))
    # What the bicycle lacks (the rest of the roll, the steer of the wheels as they travel) is 7 % of the frequency and 12 %
    # of the decay in this car.
    assert abs(nearest) == pytest.approx(abs(expected), rel=0.10)
    assert nearest.real == pytest.approx(expected.real, rel=0.15)
    # Without the relaxation of the tyres the frequency would be a fifth lower: the tolerance tells them apart.
    assert abs(nearest) > 1.15 * np.sqrt(abs(np.linalg.det(np.array([
        [-(Cf + Cr) / (m * V), -V - (a * Cf - b * Cr) / (m * V)],
        [-(a * Cf - b * Cr) / (J * V), -(a * a * Cf + b * b * Cr) / (J * V)]]))))


def test_a_car_in_a_steady_turn_stays_in_it_and_has_modes_in_axes_that_turn_along():
    simulation = tactus.Simulation("sedan")
    simulation.set_inputs({"gear_ratio": 1.4})
    trim = simulation.trim({"speed": 10.0, "yaw_rate": 0.2}, free=["throttle", "steering"], moving=True)
    assert trim.turning[2] == pytest.approx(0.2, rel=1e-3)  # yaw_rate is about the axis of the chassis, which leans
    simulation.restore(trim.saved)
    assert simulation.linearize(turning=trim.turning).is_equilibrium
    assert not simulation.linearize().is_equilibrium  # in axes of the world the velocity of the chassis turns
    block = simulation.run("5s", outputs=["speed", "yaw_rate", "tyre_fl.load"])
    # The trim is that of the equations; the ticks of 1 ms settle this much beside it.
    np.testing.assert_allclose(block["speed"], 10.0, atol=1e-4)
    np.testing.assert_allclose(block["yaw_rate"], 0.2, atol=1e-5)
    np.testing.assert_allclose(block["tyre_fl.load"], block["tyre_fl.load"][0], atol=0.05)
    with pytest.raises(ValueError):
        simulation.linearize(turning=(0.0, 0.2))
    with pytest.raises(tactus.NotFinite):
        simulation.linearize(turning=(0.0, 0.0, math.nan))
