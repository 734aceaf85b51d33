"""Durations with units."""
# Covers: clients/python/tactus/units.py

import pytest

from tactus import units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1ms", 1_000_000),
        ("250us", 250_000),
        ("0.5s", 500_000_000),
        ("2min", 120_000_000_000),
        ("500Hz", 2_000_000),
        ("1kHz", 1_000_000),
        ("1MHz", 1_000),
        (0.01, 10_000_000),
    ],
)
def test_a_duration_with_a_unit_is_read(text, expected):
    assert units.nanoseconds(text) == expected


@pytest.mark.parametrize("text", ["1", "ms", "1 parsec", "-1ms", "0ms", "0Hz", 0.0, -1.0])
def test_a_duration_without_unit_or_not_above_zero_is_refused(text):
    with pytest.raises(ValueError):
        units.nanoseconds(text)
