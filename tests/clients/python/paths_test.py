"""Paths that are not valid, and damaged files: each error names the file, and nothing is written."""
# Covers: clients/python/tactus/check.py, clients/python/tactus/sweep_run.py, clients/python/tactus/recording.py
# Covers: clients/python/tactus/private_file.py

import json
import os
import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native
from tactus import build

PLAN = {"model": "motor_four_bar", "until": "5ms", "variables": {"inputs.motor": [0.0, 0.5]},
        "metrics": {"last": {"final": "crank_angle"}}}


def model():
    ball = build.Model("ball", gravity=[0, 0, 0])
    ball.body("b", build.Sphere(0.1, mass=1))
    return ball


@needs_native
@pytest.mark.parametrize("wrong, kind", [(5, TypeError), (None, TypeError), (b"x", TypeError), ([], TypeError), ("", ValueError)])
def test_what_is_no_path_is_refused(wrong, kind, tmp_path, monkeypatch):
    from tactus import sweep_run  # imports the native module

    monkeypatch.chdir(tmp_path)  # an empty path would be this folder
    linear = tactus.Simulation("motor_four_bar").linearize()
    for call, name in (
            (lambda: tactus.sweep(PLAN, wrong), "out"), (lambda: tactus.sweep(wrong, "out"), "plan"),
            (lambda: sweep_run.collect(wrong), "folder"), (lambda: sweep_run.load(wrong), "folder"),
            (lambda: model().write(wrong), "path"), (lambda: linear.to_mat(wrong), "path"),
            (lambda: tactus.read_recording(wrong), "path"), (lambda: tactus.Recorder().to_csv(wrong), "path")):
        with pytest.raises(kind, match=name):
            call()
    with pytest.raises(TypeError, match="progress=5"):
        tactus.sweep(PLAN, "out", progress=5)
    with pytest.raises(TypeError, match="client=5"):
        tactus.sweep(PLAN, "out", client=5)
    assert not list(tmp_path.iterdir())


@needs_native
def test_damaged_results_of_a_sweep_are_told(tmp_path):
    from tactus import sweep_run

    tactus.sweep(PLAN, tmp_path)
    path = tmp_path / "results.npz"
    whole = path.read_bytes()
    np.savez(tmp_path / "other.npz", a=1)
    for damaged in (b"", b"abc", whole[:100], whole[:-30], (tmp_path / "other.npz").read_bytes()):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="results.npz is damaged, or no result of a sweep; .*collect"):
            sweep_run.load(tmp_path)
    case = sorted((tmp_path / "cases").iterdir())[0]
    row = case.read_text()
    for damaged in (b"", b"[]", b"\xff", b"[" * 100000, row[:-20].encode(), json.dumps({**json.loads(row), "end": "x"}).encode()):
        case.write_bytes(damaged)
        with pytest.raises(sweep_run.Incomplete, match=f"{case.name} is damaged"):
            sweep_run.collect(tmp_path)
    case.write_text(row)
    assert sweep_run.collect(tmp_path).provenance["missing"] == 0
    assert sweep_run.load(tmp_path).columns["case"].tolist() == [0, 1]


def test_a_recording_that_is_cut_in_its_beginning_is_told_apart_from_a_foreign_file(tmp_path):
    path = tmp_path / "run.mcap"
    subprocess.run([BUILD / "tactus", "run", "motor_four_bar", "--until", "20ms", "--out", path], check=True, capture_output=True)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 4])
    with pytest.raises(ValueError, match="run.mcap: .* no message in /setup that can be read: "):
        tactus.read_recording(path)
    path.write_bytes(os.urandom(1000))
    with pytest.raises(ValueError, match="run.mcap: no MCAP file"):
        tactus.read_recording(path)
