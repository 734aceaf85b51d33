"""What the map of `tactus serve --fmu` sets in a unit before its first step, the units that it compares, and the end of a unit."""
# Covers: clients/fmi/session/unit_map.cpp, clients/fmi/session/unit_driver.cpp, clients/fmi/session/unit_server.cpp
# Covers: clients/fmi/importer/unit_exponents.cpp, clients/fmi/importer/unit_description.cpp

import time

import pytest

from session_test import MAP, built, serve  # noqa: F401: fixtures

PARAMETER = {
    2: ("</ModelVariables>", '<ScalarVariable name="offset" valueReference="3" causality="parameter" variability="fixed">'
        '<Real start="0" max="9"/></ScalarVariable>\n<ScalarVariable name="count" valueReference="4" causality="parameter" '
        'variability="fixed"><Integer start="0"/></ScalarVariable>\n</ModelVariables>'),
    3: ("</ModelVariables>", '<Float64 name="offset" valueReference="3" causality="parameter" variability="fixed" start="0" max="9"/>\n'
        '<Int32 name="count" valueReference="4" causality="parameter" variability="fixed" start="0"/>\n</ModelVariables>'),
}
PROCESS = pytest.mark.parametrize("process", ((), ("--fmu-process",)), ids=["here", "apart"])
VERSION = pytest.mark.parametrize("version", (2, 3))


def await_value(session, name, found):
    end = time.monotonic() + 20
    while not found(session.read(name)[name]) and time.monotonic() < end:
        time.sleep(0.01)
    return session.read(name)[name]


@PROCESS
@VERSION
def test_parameters_and_start_inputs_of_a_map_are_set_before_the_first_step_and_after_a_reset(serve, version, process):
    """The output of the unit is its parameter and twice its input at the end of the initialization."""
    seen = []

    def look(session):
        for _ in range(2):
            session.start()
            seen.append(await_value(session, "push", lambda push: push != 0))
            session.pause()
            session.reset()

    unit_map = {"outputs": MAP["outputs"], "parameters": {"offset": 2.5, "in": 0.25}}
    _, _, log = serve("--paused", "--miss-limit", "0", *process, version=version, fault="KEEPS_ITS_START", unit_map=unit_map,
                      meanwhile=look, changes=[PARAMETER[version]])
    assert seen == [3.0, 3.0], log


@PROCESS
@VERSION
def test_mapped_inputs_have_the_values_of_their_signals_in_the_initialization(serve, version, process):
    seen = []

    def look(session):
        session.start()
        seen.append(await_value(session, "push", lambda push: push != 0.5))

    unit_map = {**MAP, "inputs": {"in": "push"}}  # the initial value of the actuator
    _, _, log = serve("--paused", "--miss-limit", "0", *process, version=version, fault="KEEPS_ITS_START", unit_map=unit_map,
                      meanwhile=look, initial=0.5)
    assert seen == [1.0], log


def test_every_mistake_in_the_parameters_of_a_map_is_found_at_the_start(tmp_path, serve):
    wrong = {**MAP, "parameters": {"ofset": 1, "count": 1, "out": 1, "in": 0.5, "offset": 10}}
    code, _, log = serve("--duration", "1s", unit_map=wrong, changes=[PARAMETER[3]])
    assert code == 2
    none = "the unit has no scalar parameter or input of type Real or Float64 with this name; "
    for finding in (f'parameters.ofset: {none}did you mean "offset"?', f"parameters.count: {none}", f"parameters.out: {none}",
                    'parameters.in: "inputs" sets it from a signal already; remove one of them',
                    "parameters.offset: it is outside the range that the unit declares"):
        assert f"{tmp_path}/map.json: {finding}" in log, log
    for parameters, finding in (([], "parameters: it must be an object"), ({"offset": "1"}, "parameters.offset: its value must be a number")):
        code, _, log = serve("--duration", "1s", unit_map={**MAP, "parameters": parameters}, changes=[PARAMETER[3]])
        assert code == 2 and finding in log, log


def unit(version, name, base):
    """Replacements: the output has a unit, which the description defines with these base units."""
    definition = f'<UnitDefinitions><Unit name="{name}">{base and f"<BaseUnit {base}/>"}</Unit></UnitDefinitions>\n<DefaultExperiment'
    output = ("<Real/>", f'<Real unit="{name}"/>') if version == 2 else ('causality="output"', f'causality="output" unit="{name}"')
    return [("<DefaultExperiment", definition), output]


NEWTON = 'kg="1" m="1" s="-2"'


@VERSION
@pytest.mark.parametrize("name, base, is_warned", (
    ("N", NEWTON, False), ("N", "", False), ("kg.m.s-2", NEWTON, False), ("kg.m/s2", "", False), ("kg m/s^2", "", False),
    ("force", NEWTON, False), ("N", NEWTON + ' rad="1"', False),
    ("kN", NEWTON + ' factor="1000"', True), ("kN", "", True), ("N.m", 'kg="1" m="2" s="-2"', True), ("N.m", "", True), ("N2147483647", "", True),
    ("degC", 'K="1" offset="273.15"', True), ("deg", 'rad="1" factor="0.0174532925199433"', True),
))
def test_units_that_differ_from_those_of_an_actuator_get_a_warning_with_both(serve, version, name, base, is_warned):
    code, _, log = serve("--duration", "100ms", "--miss-limit", "0", version=version, changes=unit(version, name, base))
    assert code == 0 and ("nothing is converted" in log) == is_warned, log
    assert not is_warned or f'outputs.out: the unit of "out" is "{name}", and that of "push" is "N"' in log, log


@PROCESS
@VERSION
def test_a_unit_is_terminated_when_the_server_ends(tmp_path, monkeypatch, serve, version, process):
    results = tmp_path / "results"
    monkeypatch.setenv("TACTUS_TEST_RESULTS", str(results))
    code, _, log = serve("--duration", "300ms", "--miss-limit", "0", *process, version=version)
    assert code == 0 and len(results.read_text().splitlines()) == 1, log


@PROCESS
def test_a_unit_whose_call_has_failed_is_not_terminated(tmp_path, monkeypatch, serve, process):
    results = tmp_path / "results"
    monkeypatch.setenv("TACTUS_TEST_RESULTS", str(results))
    _, _, log = serve("--duration", "300ms", "--miss-limit", "0", *process, fault="FAILS")
    assert "fmi3DoStep returns error" in log and not results.exists(), log


@PROCESS
def test_a_unit_that_asks_to_end_the_simulation_is_terminated_then(tmp_path, monkeypatch, serve, process):
    results = tmp_path / "results"
    monkeypatch.setenv("TACTUS_TEST_RESULTS", str(results))
    _, _, log = serve("--duration", "1s", "--miss-limit", "0", *process, fault="ENDS")
    assert "fmi3DoStep asks to end the simulation" in log and results.read_text() == "6 steps\n", log


@PROCESS
def test_a_unit_that_hangs_when_it_is_terminated_does_not_hold_the_server(serve, process):
    code, _, log = serve("--duration", "300ms", "--miss-limit", "0", *process, fault="HANGS_AT_THE_END")
    assert code == 0 and ("fmi3Terminate ends its process: Killed" if process else "it hangs in a call and is left behind") in log, log
