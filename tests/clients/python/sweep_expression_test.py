"""Expressions and metrics of sweeps: arithmetic and nothing else, all names of signals, no good result from NaN."""
# Covers: clients/python/tactus/expression.py, clients/python/tactus/sweep_metrics.py

import math

import numpy as np
import pytest

import tactus
from conftest import needs_native
from tactus.expression import Expression
from tactus.sweep_metrics import Metric

pytestmark = needs_native


def test_expressions_are_arithmetic_and_nothing_else():
    assert Expression("where(a.b > 1 and c < 2, -a.b, pi) % 10")({"a.b": 3.0, "c": 1.0}) == 7
    assert Expression("1/0")({}) == math.inf and Expression("9**9**9")({}) == math.inf
    for text in ("abs(x, 1, 2)", "where(x)", "hypot(*x)", "1e999", "1" + "0" * 400, "(" * 5000, "open('x')",
                 "a.b()", "a[0]", "lambda: 1", "a if b else c", "'text'", "f(x)", "(1).real", "a ="):
        with pytest.raises(ValueError):
            Expression(text)


def test_what_an_expression_may_not_have_says_what_it_may():
    for text, words in (("0 < x < 1", "join them with and"), ("x == 1", "< <= > >=, and, or, not, and the functions abs")):
        with pytest.raises(ValueError, match=words):
            Expression(text)


def test_names_of_signals_may_have_numbers_and_words_of_python_as_parts():
    values = {"beam.8.r.z": 2.0, "car.in.0": 3.0, "beam.8": 5.0, "x": 7.0}
    for text, names, value in (("beam.8.r.z", {"beam.8.r.z"}, 2), ("-beam.8.r.z*2.5e0", {"beam.8.r.z"}, -5),
                               ("beam.8.r.z - beam.8 + 1.", {"beam.8.r.z", "beam.8"}, -2),
                               ("maximum(car.in.0, x)-2", {"car.in.0", "x"}, 5)):
        expression = Expression(text)
        assert expression.names == names and expression(values) == value
    with pytest.raises(ValueError, match=r"beam\.8\(x\)"):
        Expression("beam.8(x)")


def test_metrics_of_the_nodes_of_a_beam(tmp_path):
    plan = {"model": "rotating_beam", "until": "40ms", "variables": {"initial_condition": [""]},
            "metrics": {"low": {"min": "beam.8.r.z"}}, "stop": ["beam.8.v.x**2 > 1e9 or t > 0.02"]}
    columns = tactus.sweep(plan, tmp_path / "out").columns
    assert math.isfinite(columns["low"][0]) and columns["stopped"][0] == 0


def test_a_signal_that_is_not_a_number_has_no_good_metric():
    time = np.array([0.0, 1.0, 2.0, 3.0])
    for values in ([0, 0, 0, np.nan], [0, np.nan, np.nan, np.nan], [np.nan] * 4, [0, 0, 0, np.inf]):
        for to in ({}, {"to": 0}):
            assert math.isnan(Metric({"settling": "x", "band": 1} | to)(time, {"x": np.array(values)}))
    # Settled after the hole, not before it.
    assert Metric({"settling": "x", "band": 1})(time, {"x": np.array([0, np.nan, 0, 0])}) == 2
    assert Metric({"settling": "x", "band": 1})(time, {"x": np.array([9.0, 0, 1, 0])}) == 1
    for kind in ("min", "max", "mean", "rms"):
        assert math.isnan(Metric({kind: "x"})(time, {"x": np.array([0, np.nan, 0, 0])}))
    for values in ([-1, np.nan, 1, 1], [np.nan, -1, -1, -1], [-1, -1, -1, np.nan], [np.nan] * 4):
        assert math.isnan(Metric({"crossing": "x", "level": 0})(time, {"x": np.array(values, dtype=float)}))


def test_a_hole_in_a_signal_hides_a_crossing_only_if_the_signal_changes_sides_in_it():
    crossing, nan = Metric({"crossing": "x", "level": 0}), math.nan
    for values, expected in (([nan, -1, -1, 1, 1], 2.5), ([nan, 1, 1, -1, 1], 2.5), ([-1, nan, -1, 1, 1], 2.5),
                             ([-1, 1, nan, -1, 1], 0.5), ([nan, nan, 3, -1, nan], 2.75),
                             ([-1, nan, 1, 1, -1], nan), ([nan, -1, nan, nan, 1], nan), ([nan, nan, nan, nan, 1], nan)):
        found = crossing(np.arange(5.0), {"x": np.array(values)})
        assert found == expected or (math.isnan(found) and math.isnan(expected)), (values, found)


def test_mean_and_rms_are_over_time_where_rows_are_not_evenly_spaced():
    mean, rms = Metric({"mean": "x"}), Metric({"rms": "x"})
    time = np.array([0.0, 1.0, 1.5, 4.0])
    assert mean(time, {"x": time}) == 2 and rms(time, {"x": np.sqrt(time)}) == math.sqrt(2)
    # An even grid has the bits of the mean of its rows, also where its times are rounded.
    for step in (1e-3, 1 / 3, 62.5e-6):
        for even in (step * np.arange(1, 4001), np.cumsum(np.full(4000, step)), np.arange(1, 4001) * round(step * 1e9) * 1e-9):
            x = np.sin(even)
            assert mean(even, {"x": x}) == x.mean() and rms(even, {"x": x}) == np.sqrt(np.mean(x**2))
    for count in (1, 2):
        assert mean(time[:count], {"x": time[:count] + 3}) == (3, 3.5)[count - 1]
    assert mean(np.array([2.0, 2.0, 2.0]), {"x": time[:3]}) == time[:3].mean()
    assert math.isnan(mean(time, {"x": np.array([0, 1, np.nan, 0])}))


def test_the_mean_of_a_case_does_not_depend_on_the_steps_that_its_method_chooses(tmp_path):
    plan = {"model": "motor_four_bar", "until": "250ms", "variables": {"inputs.motor": [0.3]},
            "metrics": {"mean": {"mean": "t + 0 * motor"}, "rms": {"rms": "sqrt(t) + 0 * motor"}}}
    for name, change in (("method", {"integrator": "ros2-w", "step": "20ms"}), ("last", {"every": 100})):
        columns = tactus.sweep(plan | change, tmp_path / name).columns
        middle = {"method": 0.125, "last": 0.175}[name]  # rows from 0 s, and from 0.1 s
        # Trapezoids are exact for a line; round-off remains.
        assert columns["mean"][0] == pytest.approx(middle, abs=1e-15)
        assert columns["rms"][0] == pytest.approx(math.sqrt(middle), abs=1e-15)


def test_a_condition_on_a_signal_that_is_not_a_number_is_not_a_number():
    x = np.array([-1.0, 2.0, np.nan])
    expected = {"where(x > 0, 1, 0)": [0, 1, np.nan], "where(x <= 0, 1, 0)": [1, 0, np.nan], "where(x, 5, 6)": [5, 5, np.nan],
                "x > 0": [0, 1, np.nan], "(x > 0) - (x < 0)": [-1, 1, np.nan],
                # What is decided without the signal is not lost.
                "x > 0 and t < 0": [0, 0, 0], "x > 0 or t >= 0": [1, 1, 1],
                "not x > 0": [1, 0, np.nan], "not x": [0, 0, np.nan],
                "x > 0 and t >= 0": [0, 1, np.nan], "x > 0 or t < 0": [0, 1, np.nan]}
    for text, values in expected.items():
        np.testing.assert_array_equal(Expression(text)({"x": x, "t": np.zeros(3)}), values, err_msg=text)
    assert math.isnan(Metric({"mean": "where(x > 0, 1, 0)"})(np.arange(3.0), {"x": x}))


def test_a_criterion_that_is_not_a_number_does_not_stop_a_case(tmp_path):
    plan = {"model": "motor_four_bar", "until": "10ms", "period": "1ms", "variables": {"inputs.motor": [0.0]},
            "metrics": {"last": {"final": "crank_angle"}}, "stop": ["sqrt(0.004 - t) > 9", "t - 0.006 > 0 and sqrt(-t) < 1",
                                                                    "log(-t)", "t > 0.0075"]}
    columns = tactus.sweep(plan, tmp_path / "out").columns
    assert columns["stopped"][0] == 3
