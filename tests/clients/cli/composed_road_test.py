"""`tactus road` beside a server that runs a model with an OpenCRG road, composed of two files."""
# Covers: clients/cli/road.cpp

import json
import subprocess

import pytest
from conftest import BUILD, Server

BODY = {"name": "car", "mass": 1000, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0, 0, "50 cm"]}
# 21 stations of 1 m, straight, 0.1 m up with each.
CRG = "\n".join(
    ["$ROAD_CRG", "REFERENCE_LINE_START_X = 5", "REFERENCE_LINE_INCREMENT = 1", "REFERENCE_LINE_START_S = 0.1", "$",
     "$KD_DEFINITION", "#:LRFI", "D:long section at v = -2,m", "D:long section at v = 2,m", "$", "$" * 80]
    + ["      0.25      0.25"] * 21) + "\n"


@pytest.fixture
def model(tmp_path):
    (tmp_path / "ground.json").write_text(json.dumps(
        {"roads": [{"name": "hill", "up": [0, 0, 1], "along": [1, 0, 0], "heights": {"file": "hill.crg"}}]}))
    (tmp_path / "hill.crg").write_text(CRG)
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"name": "m", "gravity": [0, 0, -9.81], "bodies": [BODY],
                                "includes": [{"file": "ground.json", "position": [0, 0, 3]}]}))
    return path


def program(*arguments):
    return subprocess.run([BUILD / "tactus", *map(str, arguments)], capture_output=True, text=True)


def test_the_road_of_a_session_is_queried_from_the_shell(tmp_path, model):
    with Server(f"unix:{tmp_path}/s.sock", str(model), "--paused") as server:
        result = program("road", "15,1", "7,0,9", "--server", server.address, "--json")
        assert result.returncode == 0, result.stderr
        answer = json.loads(result.stdout)
        assert answer["road"] == "hill"
        first, second = answer["surface"]
        assert first["point"] == pytest.approx([15, 1, 3 + 0.25 + 0.1 * 10])
        assert first["along"] == pytest.approx(10) and first["across"] == pytest.approx(1)
        assert second["height"] == pytest.approx(0.25 + 0.1 * 2)
        assert program("road", "15", "--server", server.address).returncode != 0
        assert "did you mean" in program("road", "1,1", "--road", "hil", "--server", server.address).stderr


def test_print_shows_the_composed_model_and_check_the_file_of_a_finding(tmp_path, model):
    printed = json.loads(program("model", "print", model).stdout)
    assert "includes" not in printed and printed["roads"][0]["origin"] == [0, 0, 3]
    assert printed["bodies"][0]["position"] == [0, 0, 0.5]
    (tmp_path / "ground.json").write_text('{"roads": [\n{"name": "hill", "up": [0, 0, 1], "along": [0, 0, 1]}]}')
    checked = program("model", "check", model)
    assert checked.returncode == 2 and f"{tmp_path}/ground.json:2: roads[0].along" in checked.stdout
    [finding] = json.loads(program("model", "check", model, "--json").stdout)["findings"]
    assert finding["file"] == "ground.json" and finding["line"] == 2
