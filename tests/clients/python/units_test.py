"""Durations, periods and frequencies with units."""
# Covers: clients/python/tactus/units.py

import csv
import datetime
import pathlib

import numpy as np
import pytest

from tactus import units

# The C++ reader is held to the same table by tests/proto/text/duration_test.cpp.
TABLE = pathlib.Path(__file__).resolve().parents[2] / "proto/text/durations.csv"


def rows():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["duration_ns"], row["period_ns"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize(("text", "duration_ns", "period_ns"), rows())
def test_a_text_reads_as_the_shared_table_says(text, duration_ns, period_ns):
    for read, expected in ((units.duration, duration_ns), (units.period, period_ns)):
        if expected:
            assert read(text) == int(expected)
        else:
            with pytest.raises(ValueError):
                read(text)


@pytest.mark.parametrize("read", [units.duration, units.period])
def test_a_number_is_a_number_of_seconds(read):
    assert read(0.01) == 10_000_000
    assert read(2.0) == 2_000_000_000
    for refused in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            read(refused)


@pytest.mark.parametrize("read", [units.duration, units.period])
def test_a_duration_is_no_int_because_its_unit_is_open(read):
    for number in (1, 0, -1):
        with pytest.raises(TypeError, match=f'write "{number}m?s", or {number}.0 for seconds'):
            read(number)


def test_a_timeout_may_be_a_whole_number_of_seconds():
    assert units.seconds("timeout", 5) == 5.0
    assert units.seconds("timeout", 0) == 0.0
    with pytest.raises(ValueError, match="below zero"):
        units.seconds("timeout", -1)


@pytest.mark.parametrize("read", [units.duration, units.period, lambda value: units.seconds("timeout", value)])
def test_a_duration_of_a_wrong_type_is_refused(read):
    for refused in (True, np.int64(1), None, b"1ms", [1.0], np.array([1.0, 2.0])):
        with pytest.raises(TypeError, match="no duration|no unit"):
            read(refused)


@pytest.mark.parametrize("read", [units.duration, units.period])
def test_a_timedelta_is_a_duration(read):
    assert read(datetime.timedelta(milliseconds=250)) == 250_000_000
    assert read(datetime.timedelta(days=100_000, microseconds=1)) == 100_000 * 86_400 * 10**9 + 1000
    for refused in (datetime.timedelta(0), -datetime.timedelta(seconds=1)):
        with pytest.raises(ValueError):
            read(refused)


def test_the_nanoseconds_of_a_timedelta_of_pandas_count():
    pandas = pytest.importorskip("pandas")
    assert units.period(pandas.Timedelta("62500ns")) == units.duration(pandas.Timedelta("62500ns")) == 62_500
    assert units.duration(pandas.Timedelta("2 days 1ns")) == 2 * 86_400 * 10**9 + 1
    assert units.seconds("wait", pandas.Timedelta("250ns")) == 250e-9
    with pytest.raises(ValueError, match="below zero"):
        units.seconds("wait", pandas.Timedelta("-1ns"))


def test_a_deadline_may_be_zero_and_without_end():
    assert units.seconds("wait", 0.0) == 0 and units.seconds("wait", float("inf")) == float("inf")
    assert units.seconds("wait", "2min") == 120 and units.seconds("wait", datetime.timedelta(seconds=3)) == 3
    for refused in (-1.0, float("nan"), "1", "fast"):
        with pytest.raises(ValueError, match="wait"):
            units.seconds("wait", refused)


def test_a_frequency_needs_its_unit_and_is_above_zero():
    assert units.frequency("60Hz") == 60
    assert units.frequency("0.5Hz") == 0.5
    assert units.frequency("2.5kHz") == 2500
    assert units.frequency(50) == 50
    for large in (lambda: units.frequency("1e999Hz"), lambda: units.frequency(10**400), lambda: units.seconds("timeout", 10**400)):
        with pytest.raises(ValueError, match="too large"):
            large()
    for refused in ("", "60", "0Hz", "-1Hz", "1s", "60hz", "1 Hz", "nanHz", "infHz", 0, float("nan")):
        with pytest.raises(ValueError):
            units.frequency(refused)


def test_a_period_that_is_not_whole_is_refused_with_the_nearest_that_is():
    with pytest.raises(ValueError, match="16666667ns"):
        units.period("60Hz")
