"""`tactus analyse sensitivity` has the numbers of `tactus.sensitivity`."""
# Covers: server/cli/analyse_sensitivity.cpp

import csv
import json
import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native


def program(*arguments):
    command = [BUILD / "tactus", "analyse", "sensitivity", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def answer(*arguments):
    result = program(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@needs_native
@pytest.mark.parametrize("method", ["linearized", "differences"])
def test_the_numbers_are_those_of_the_python_call_bit_for_bit(method):
    signals = ["crank_angle", "rocker_angle"]
    expected = tactus.sensitivity("motor_four_bar", "200ms", ["rocker_mass", "gravity_y"], outputs=signals, every=50,
                                  method=method, nominal={"rocker_mass": 2.0})
    found = answer("motor_four_bar", "--until", "200ms", "--parameters", "rocker_mass,gravity_y", "--signals",
                   ",".join(signals), "--every", 50, "--method", method, "--set", "rocker_mass=2")
    assert [signal["name"] for signal in found["signals"]] == signals
    np.testing.assert_allclose(found["times"], expected.sim_time, rtol=1e-15)  # a product in another order
    np.testing.assert_array_equal(found["nominal"], expected.nominal)
    for column, parameter in enumerate(found["parameters"]):
        assert parameter["name"] == expected.parameters[column]
        assert abs(expected.values[:, :, column]).max() > 0
        # The extrapolation of differences is the same formula in another order of operations: round-off of the last bits.
        np.testing.assert_allclose(parameter["values"], expected.values[:, :, column], rtol=0 if method == "linearized" else 1e-12)
    assert (found["parameters"][0]["value"], found["parameters"][0]["unit"]) == (2.0, "kg")


@needs_native
@pytest.mark.parametrize("method", ["linearized", "differences"])
def test_a_parameter_at_its_maximum_has_the_numbers_of_the_python_call(method):
    expected = tactus.sensitivity("motor_four_bar", "200ms", ["rocker_mass"], outputs=["crank_angle"], every=50, method=method,
                                  nominal={"rocker_mass": 5.0})
    found = answer("motor_four_bar", "--until", "200ms", "--parameters", "rocker_mass", "--signals", "crank_angle", "--every", 50,
                   "--method", method, "--set", "rocker_mass=5")["parameters"][0]
    assert (found["side"], expected.sides) == (-1, (-1,))
    np.testing.assert_allclose(found["values"], expected.values[:, :, 0], rtol=0 if method == "linearized" else 1e-12)


@needs_native
def test_a_car_that_is_steered_has_the_sensitivities_of_the_python_call(tmp_path):
    series = tmp_path / "inputs.csv"
    series.write_text("t,throttle,steering\n0,0.5,0.05\n")
    names = ["chassis_mass", "tyre_stiffness"]
    expected = tactus.sensitivity("sedan", "100ms", names, outputs=["chassis.v.x", "speed"], every=50,
                                  inputs={"throttle": 0.5, "steering": 0.05})
    found = answer("sedan", "--until", "100ms", "--parameters", ",".join(names), "--signals", "chassis.v.x,speed", "--every", 50,
                   "--inputs", series)
    for column, parameter in enumerate(found["parameters"]):
        np.testing.assert_array_equal(parameter["values"], expected.values[:, :, column])


def test_text_and_files_have_the_values_of_the_json(tmp_path):
    words = ("motor_four_bar", "--until", "100ms", "--parameters", "rocker_mass,gravity_y", "--every", 20)
    found = answer(*words)
    result = program(*words, "--out", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    rows = list(csv.reader((tmp_path / "out/sensitivity.csv").read_text().splitlines()))
    names = [signal["name"] for signal in found["signals"]]
    assert rows[0] == ["t", *[f"{name} by {parameter}" for parameter in ("rocker_mass", "gravity_y") for name in names]]
    values = np.array(rows[1:], dtype=float)
    np.testing.assert_array_equal(values[:, 0], found["times"])
    np.testing.assert_array_equal(values[:, 1:], np.hstack([one["values"] for one in found["parameters"]]))
    errors = list(csv.reader((tmp_path / "out/error.csv").read_text().splitlines()))
    np.testing.assert_array_equal(np.array(errors[1:], dtype=float)[:, 1:], np.hstack([one["errors"] for one in found["parameters"]]))
    nominal = list(csv.reader((tmp_path / "out/nominal.csv").read_text().splitlines()))
    assert nominal[0] == ["t", *names] and len(nominal) == 6
    line = next(line.split() for line in result.stdout.splitlines() if line.startswith("crank_angle"))
    assert line[:2] == ["crank_angle", "rocker_mass"] and line[-1] == "rad/kg"
    assert float(line[2]) == pytest.approx(found["parameters"][0]["values"][-1][names.index("crank_angle")], rel=1e-7)  # 8 digits


@pytest.mark.parametrize("words, text", [
    (("--parameters", "rocker_mas"), "did you mean 'rocker_mass'"),
    (("--parameters", "rocker_mass,rocker_mass"), "twice"),
    (("--parameters", "rocker_mass", "--signals", "crank_angel"), "crank_angle"),
    (("--parameters", "rocker_mass", "--signals", "energy.input"), "sum over the run"),
    (("--parameters", "rocker_mass", "--set", "rocker_mass=50"), "rocker_mass"),
    (("--parameters", "rocker_mass", "--set", "rocker_mass=2.6", "--relative-step", "0.999"), "a smaller --relative-step"),
    (("--parameters", "rocker_mass", "--until", "1.5ms"), "whole number of steps"),
    (("--parameters", "rocker_mass", "--every", "1000"), "has only 100 steps"),
    (("--parameters", "rocker_mass", "--method", "adjoint"), "linearized"),
    ((), "--parameters"),
])
def test_what_cannot_be_had_says_why(words, text):
    until = () if "--until" in words else ("--until", "100ms")
    result = program("motor_four_bar", *until, *words)
    assert result.returncode == 2 and text in result.stderr, result.stderr
