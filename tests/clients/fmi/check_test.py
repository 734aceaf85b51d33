"""`tactus fmu check`: units of our own have the bits of `tactus run`; each bad unit gets an error that names its fault."""
# Covers: clients/fmi/importer/unit_terminals.cpp, clients/fmi/importer/unit_xml.cpp
# Covers: clients/fmi/unit_trial.cpp, clients/fmi/check.cpp, clients/fmi/fmu_command.cpp, clients/fmi/importer/loaded_unit.cpp
# Covers: clients/fmi/importer/unit_description.cpp, clients/fmi/importer/unit_symbols.cpp
# Covers: clients/fmi/importer/unpacked_unit.cpp

import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import zipfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TACTUS = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release")) / "tactus"
VERSIONS = (2, 3)
BINARY = {2: "binaries/linux64/small.so", 3: "binaries/x86_64-linux/small.so"}
FAULTS = ["NONE", "HANGS", "CRASHES", "NOT_FINITE", "SLOW", "EXITS", "LEAKS_BETWEEN_INSTANCES", "FORGETS_STATE", "FAILS",
          "HANGS_WHEN_LOADED", "UPDATES", "NEVER_UPDATES", "UPDATES_ELSEWHERE", "RETURNS_ELSEWHERE", "HANGS_AFTER_UPDATE",
          "CRASHES_AFTER_UPDATE", "FIXED_STEP", "CHANGES_WITH_UPDATES", "DISCARDS", "HANGS_AT_ONCE", "FAILS_AFTER_RESET",
          "LEAVES_A_HELPER", "NARROW_RANGE", "ROUNDS_UP", "PAUSES", "DENIES_NAMES", "DENIES_READS",
          "KEEPS_ITS_START", "HANGS_AT_THE_END", "ENDS"]


def functions(version):
    """All functions of the standard, as the source of our own unit has them."""
    text = (ROOT / f"clients/fmi/unit/fmi{version}.cpp").read_text()
    names = set(re.findall(rf"\bfmi{version}(\w+)\(", text))
    for kind in re.findall(r"TACTUS_NO_VARIABLES_OF\((\w+), ", text):
        names |= {f"Get{kind}", f"Set{kind}"}
    return names


@pytest.fixture(scope="session")
def shared_object(tmp_path_factory):
    made = {}

    def make(version, fault, without=""):
        key = (version, fault, without)
        if key not in made:
            folder = tmp_path_factory.mktemp("object")
            source = (HERE / "small_unit.c").read_text()
            own = set(re.findall(rf"\bfmi{version}(\w+)\(", source)) | set(re.findall(r"\bF\((\w+)\)\(", source))
            rest = sorted(functions(version) - own - {without})
            denied = " ".join(f"DENIED({name})" for name in rest)
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", f"-DFMI={version}", f"-DFAULT={fault}", f"-DDENIED_FUNCTIONS={denied}",
                            HERE / "small_unit.c", "-o", folder / "small.so"], check=True)
            made[key] = (folder / "small.so").read_bytes()
        return made[key]

    return make


def description(version):
    flags = 'canGetAndSetFMUstate="true"' if version == 2 else 'canGetAndSetFMUState="true"'
    variables = {
        2: """<ScalarVariable name="in" valueReference="1" causality="input"><Real start="0" min="-1" max="1"/></ScalarVariable>
<ScalarVariable name="out" valueReference="2" causality="output"><Real/></ScalarVariable>""",
        3: """<Float64 name="in" valueReference="1" causality="input" start="0" min="-1" max="1"/>
<Float64 name="out" valueReference="2" causality="output"/>""",
    }[version]
    listed = '<Outputs><Unknown index="2"/></Outputs>' if version == 2 else '<Output valueReference="2"/>'
    token = "guid" if version == 2 else "instantiationToken"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{version}.0" modelName="small" {token}="{{small}}">
<CoSimulation modelIdentifier="small" {flags}/>
<DefaultExperiment stepSize="0.01"/>
<ModelVariables>
{variables}
</ModelVariables>
<ModelStructure>{listed}</ModelStructure>
</fmiModelDescription>
"""


def write(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def check(path, *options):
    done = subprocess.run([TACTUS, "fmu", "check", "--json", path, *options], capture_output=True, text=True, check=False,
                          timeout=120)
    report = json.loads(done.stdout)
    errors = [f["text"] for f in report["findings"] if f["severity"] == "error"]
    assert done.returncode == (1 if errors else 0)
    return report, errors


@pytest.fixture
def small(tmp_path, shared_object):
    """Writes a unit with changes: files by name, replacements in the description."""

    def make(version, fault="NONE", change=("", ""), files=None, without=""):
        text = description(version)
        assert change[0] in text
        content = {"modelDescription.xml": text.replace(*change) if change[0] else text,
                   BINARY[version]: shared_object(version, FAULTS.index(fault), without), **(files or {})}
        return write(tmp_path / "small.fmu", {name: data for name, data in content.items() if data is not None})

    return make


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model", ("motor_four_bar", "sedan"))
def test_our_units_pass_with_the_hash_of_tactus_run(tmp_path, model, version):
    fmu = tmp_path / "a.fmu"
    subprocess.run([TACTUS, "fmu", "export", model, "--fmi", str(version), "--step", "1ms", "--out", fmu], check=True)
    report, errors = check(fmu, "--steps", "100")
    assert errors == [] and report["findings"] == [] and report["same_bits"]
    run = subprocess.run([TACTUS, "run", model, "--until", "100ms", "--step", "1ms", "--json"], capture_output=True,
                         text=True, check=True)
    assert report["state_hash"] == json.loads(run.stdout)["state_hash"]
    # Another model below the same description: token and hashes say so.
    other = tmp_path / "b.fmu"
    subprocess.run([TACTUS, "fmu", "export", "chain:n=4", "--fmi", str(version), "--out", other], check=True)
    with zipfile.ZipFile(fmu) as one, zipfile.ZipFile(other) as two:
        files = {name: one.read(name) for name in one.namelist()}
        files["resources/model.bin"] = two.read("resources/model.bin")
    _, errors = check(write(tmp_path / "c.fmu", files))
    assert any("is not that of the model in resources/" in error for error in errors)
    # The sedan has five inputs, the chain has one.
    assert any("is of another model than modelDescription.xml" in error for error in errors) == (model == "sedan")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_small_unit_of_others_passes(small, version):
    report, errors = check(small(version))
    assert errors == [] and report["fmi"] == version and report["name"] == "small" and report["step"] == 0.01
    assert not report["same_bits"] and report["state_hash"] == ""


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("fault, words", (
    ("HANGS", "DoStep does not return within 0.5"),
    ("HANGS_WHEN_LOADED", "dlopen does not return within 0.5"),
    ("CRASHES", "DoStep ends its process: Segmentation fault"),
    ("EXITS", "DoStep ends its process with exit code 7"),
    ("NOT_FINITE", 'output "out" is not finite after step 5'),
    ("LEAKS_BETWEEN_INSTANCES", "while another one steps in turn"),
    ("FORGETS_STATE", "a restored state goes on with other values"),
    ("FAILS", "DoStep returns error"),
))
def test_a_unit_that_misbehaves_is_named_with_its_fault(small, version, fault, words):
    _, errors = check(small(version, fault), "--steps", "20", "--call-limit", "500ms")
    assert len(errors) == 1 and words in errors[0]


def test_a_helper_process_that_a_unit_leaves_behind_does_not_hold_the_check(small, tmp_path, monkeypatch):
    """The helper has the pipe of the report open, and does not end."""
    helper = tmp_path / "helper"
    monkeypatch.setenv("TACTUS_TEST_HELPER", str(helper))
    fmu = small(3, "LEAVES_A_HELPER")
    try:
        _, errors = check(fmu, "--steps", "20")
        assert errors == [] and helper.exists()
    finally:
        if helper.exists():
            os.kill(int(helper.read_text()), signal.SIGKILL)


PROVIDES_UPDATES = ('canGetAndSetFMUState="true"', 'canGetAndSetFMUState="true" providesIntermediateUpdate="true" '
                    'canReturnEarlyAfterIntermediateUpdate="true" canHandleVariableCommunicationStepSize="true"')


@pytest.mark.parametrize("fault, words", (
    ("NEVER_UPDATES", "intermediateUpdate is never called, though the description provides it"),
    ("UPDATES_ELSEWHERE", "intermediateUpdate is called at t = 1.005000 s, outside of the step or back in time"),
    ("RETURNS_ELSEWHERE", "an early return ends at t = 1.005000 s, outside of its step"),
    ("HANGS_AFTER_UPDATE", "fmi3DoStep does not return within 0.5"),
    ("CRASHES_AFTER_UPDATE", "fmi3DoStep ends its process: Segmentation fault"),
    ("CHANGES_WITH_UPDATES", 'early returns the unit gives other values: output "out", step 1'),
))
def test_a_unit_with_wrong_intermediate_updates_is_named_with_its_fault(small, fault, words):
    _, errors = check(small(3, fault, PROVIDES_UPDATES), "--steps", "5", "--call-limit", "500ms")
    assert errors and words in errors[0]


def test_intermediate_updates_and_early_returns_of_others_pass(small):
    assert check(small(3, "UPDATES", PROVIDES_UPDATES), "--steps", "5")[1] == []
    # A unit whose description denies them is not asked.
    assert check(small(3, "NEVER_UPDATES"), "--steps", "5")[1] == []
    # One whose communication steps have one size is heard, and not asked to return early.
    fixed = (PROVIDES_UPDATES[0], PROVIDES_UPDATES[1].replace(' canHandleVariableCommunicationStepSize="true"', ""))
    assert check(small(3, "FIXED_STEP", fixed), "--steps", "5")[1] == []
    early_alone = ('canGetAndSetFMUState="true"', 'canGetAndSetFMUState="true" canReturnEarlyAfterIntermediateUpdate="true"')
    assert "needs providesIntermediateUpdate" in check(small(3, "NONE", early_alone))[1][0]


@pytest.mark.parametrize("mark, is_read", (
    ("", False), ('intermediateUpdate="false"', False), ('intermediateUpdate="true" variability="discrete"', False),
    ('intermediateUpdate="true"', True), ('intermediateUpdate="true" variability="continuous"', True),
))
@pytest.mark.parametrize("fault, words", (
    ("DENIES_NAMES", "the unit makes no instance"), ("DENIES_READS", "fmi3GetFloat64 returns error"),
))
def test_in_an_update_only_marked_continuous_outputs_are_named_and_read(tmp_path, shared_object, mark, is_read, fault, words):
    text = description(3).replace(*PROVIDES_UPDATES).replace('causality="output"', f'causality="output" {mark}')
    fmu = write(tmp_path / "small.fmu", {"modelDescription.xml": text, BINARY[3]: shared_object(3, FAULTS.index(fault), "")})
    _, errors = check(fmu, "--steps", "5")
    assert len(errors) == int(is_read) and all(words in error for error in errors), errors


@pytest.mark.parametrize("version", VERSIONS)
def test_the_reason_that_a_unit_gives_is_in_the_error(tmp_path, small, version):
    fmu = tmp_path / "motor.fmu"
    subprocess.run([TACTUS, "fmu", "export", "motor_four_bar", "--fmi", str(version), "--step", "1ms", "--out", fmu], check=True,
                   capture_output=True)
    _, errors = check(fmu, "--step", "1500us", "--steps", "2")
    assert f"fmi{version}DoStep returns discard: " in errors[0] and "use 0.002 s" in errors[0], errors
    # Of a unit without categories, as one line of at most 512 characters, whatever it logs after it.
    _, errors = check(small(version, "DISCARDS"), "--steps", "2")
    assert errors[0].startswith(f"fmi{version}DoStep returns discard: the pressure is too low; xxx"), errors
    assert len(errors[0].split(": ", 1)[1]) == 512
    # It lists categories, and none of them is of failures: it is not asked for events.
    categories = ("<DefaultExperiment", '<LogCategories><Category name="logEvents"/></LogCategories>\n<DefaultExperiment')
    assert check(small(version, "DISCARDS", categories), "--steps", "2")[1][0] == f"fmi{version}DoStep returns discard"


def test_a_slow_unit_gets_a_warning(small):
    report, errors = check(small(3, "SLOW"), "--steps", "5")
    assert errors == []
    assert any("longer than the time that they simulate" in f["text"] for f in report["findings"])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_missing_function_is_named(small, version):
    _, errors = check(small(version, without="CancelStep" if version == 2 else "GetClock"))
    assert errors == [f"fmi{version}{'CancelStep' if version == 2 else 'GetClock'} is not exported"]


TERMINALS = """<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
<Terminals>
<Terminal name="a" matchingRule="bus">
<TerminalMemberVariable variableName="in" memberName="x" variableKind="signal"/>
<TerminalMemberVariable variableName="out" memberName="y" variableKind="signal"/>
</Terminal>
<Terminal name="b" matchingRule="sequence"><TerminalMemberVariable variableName="in" variableKind="inflow"/></Terminal>
</Terminals>
</fmiTerminalsAndIcons>
"""


@pytest.mark.parametrize("change, line, words", (
    (("", ""), 0, ""),
    (('variableName="out"', 'variableName="of"'), 6, 'variable "of" of a terminal is no variable of the unit'),
    (('memberName="y"', 'memberName="x"'), 6, 'two members of a terminal are called "x"'),
    ((' memberName="y"', ""), 6, 'the member "out" needs a memberName'),
    (('name="b"', 'name="a"'), 8, 'two terminals are called "a"'),
    (('matchingRule="bus"', 'matchingRule="train"'), 4, "it must be plug, bus or sequence"),
    (('variableKind="inflow"', 'variableKind="in"'), 8, "it must be signal, inflow or outflow"),
    (('fmiVersion="3.0"', 'fmiVersion="2.0"'), 2, "it must be 3.0"),
    (("<fmiTerminalsAndIcons", "<!DOCTYPE a>\n<fmiTerminalsAndIcons"), 2, "a document type is not allowed"),
    (("fmiTerminalsAndIcons", "terminals"), 2, "the root element must be fmiTerminalsAndIcons"),
    (("</Terminals>", ""), 10, "mismatched tag"),
))
def test_each_rule_of_terminals_has_its_error_with_a_line(small, change, line, words):
    text = TERMINALS.replace(*change) if change[0] else TERMINALS
    _, errors = check(small(3, files={"terminalsAndIcons/terminalsAndIcons.xml": text}), "--steps", "2")
    assert len(errors) == (1 if words else 0), errors
    if words:
        assert errors[0].startswith(f"terminalsAndIcons.xml:{line}: ") and words in errors[0]


@pytest.mark.parametrize("change, words", (
    (("</ModelVariables>", ""), "mismatched tag"),
    (('fmiVersion="3.0"', 'fmiVersion="1.0"'), "it must be 2.0 or 3.0"),
    (("<fmiModelDescription", '<!DOCTYPE a [<!ENTITY b "c">]>\n<fmiModelDescription'), "no entities are read"),
    (('modelIdentifier="small"', 'modelIdentifier="../small"'), "must be an identifier of C"),
    (("<CoSimulation", "<ModelExchange"), "not for co-simulation"),
    ((' start="0"', ""), "an input needs a start value"),
    (('start="0"', 'start="3"'), "out of its range"),
    (('valueReference="2" causality', 'valueReference="1" causality'), "is used twice"),
    (('name="out"', 'name="in"'), 'two variables are called "in"'),
    (('<Output valueReference="2"/>', ""), "not listed in ModelStructure"),
    (('causality="input"', 'causality="wish"'), "not of the standard"),
    (('causality="input"', 'causality="input" unit="N"'), 'unit "N" is not defined'),
))
def test_each_rule_of_the_description_has_its_error_with_a_line(small, change, words):
    _, errors = check(small(3, change=change))
    assert any(words in error for error in errors), errors
    assert any(re.search(r"modelDescription.xml:\d+: ", error) for error in errors) or "co-simulation" in errors[0]


def typed(version, attributes, own=""):
    """The description of a unit whose input has a declared type with these attributes, and attributes of its own."""
    kind = f'<SimpleType name="small_number"><Real {attributes}/></SimpleType>' if version == 2 else f'<Float64Type name="small_number" {attributes}/>'
    text = description(version).replace("<DefaultExperiment", f"<TypeDefinitions>{kind}</TypeDefinitions>\n<DefaultExperiment")
    return {"modelDescription.xml": text.replace('start="0" min="-1" max="1"', f'declaredType="small_number" start="0" {own}')}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_variable_has_the_range_and_the_unit_of_its_declared_type(small, version):
    # The unit refuses values outside of the range.
    assert check(small(version, "NARROW_RANGE", files=typed(version, 'min="0" max="0.01"')), "--steps", "20")[1] == []
    # An attribute of the variable comes first.
    assert check(small(version, "NARROW_RANGE", files=typed(version, 'min="0" max="1"', 'max="0.01"')), "--steps", "20")[1] == []
    for attributes, words in (('min="1" max="2"', "its start value is out of its range"), ('unit="N"', 'unit "N" is not defined')):
        _, errors = check(small(version, files=typed(version, attributes)), "--steps", "2")
        assert len(errors) == 1 and words in errors[0], errors


def test_an_entity_bomb_is_refused_before_it_grows(small):
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(12)) + "]>\n<fmiModelDescription"
    _, errors = check(small(2, change=("<fmiModelDescription", bomb)))
    assert len(errors) == 1 and "a document type is not allowed" in errors[0]


def link(name):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize("files, words", (
    ({"../outside": b"x"}, 'leaves the folder of the unit by ".."'),
    ({"a/../../outside": b"x"}, 'leaves the folder of the unit by ".."'),
    ({"/outside": b"x"}, "must be a relative path"),
    ({"a\\b": b"x"}, "must be a relative path"),
    ({link("resources"): b"/etc"}, "symbolic link"),
    ({"resources/bomb": bytes(8 << 20)}, "times its compressed size"),
    ({"modelDescription.xml": None}, "modelDescription.xml is missing"),
    ({BINARY[3]: None}, "binaries/x86_64-linux/small.so is missing"),
    ({BINARY[3]: None, "binaries/aarch64-darwin/small.dylib": b"x"}, "the unit has: aarch64-darwin"),
    ({BINARY[3]: b"MZ not ours"}, "no shared object of Linux"),
    ({BINARY[3]: b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\xb7\x00" + bytes(60)}, "another processor"),
    ({BINARY[3]: b"\x7fELF\x02"}, "cut off or damaged"),
))
def test_archives_that_are_refused_write_nothing_outside(small, tmp_path, files, words):
    temporary = tmp_path / "below/temporary"
    temporary.mkdir(parents=True)
    os.environ["TMPDIR"] = str(temporary)
    try:
        _, errors = check(small(3, files=files))
    finally:
        del os.environ["TMPDIR"]
    assert len(errors) == 1 and words in errors[0], errors
    assert list(tmp_path.rglob("outside")) == [] and list(temporary.iterdir()) == []


def test_damaged_bytes_of_an_archive_end_with_an_error_or_a_report(small, tmp_path):
    """Each sixteenth of the archive damaged or cut off in turn: exit code 0 or 1, never a crash of the program."""
    good = small(3).read_bytes()
    for k in range(16):
        place = k * len(good) // 16
        bad = tmp_path / "bad.fmu"
        for content in (good[:place], good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1:]):
            bad.write_bytes(content)
            check(bad, "--steps", "2", "--call-limit", "2s")


def test_a_file_that_does_not_exist_is_an_error_of_usage(tmp_path):
    done = subprocess.run([TACTUS, "fmu", "check", tmp_path / "none.fmu"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "does not exist" in done.stderr


def hashed(text):
    """A description with the output of a unit of Tactus."""
    return ('<Output valueReference="2"/>', '<Output valueReference="2"/><Output valueReference="3"/>'), (
        "</ModelVariables>", '<UInt64 name="state_hash" valueReference="3" causality="output"/>\n</ModelVariables>')


def test_a_model_file_of_a_unit_that_only_claims_to_be_ours_is_an_error(small, tmp_path, shared_object):
    """That a child process reads the file is held by the next test."""
    text = description(3)
    for change in hashed(text):
        text = text.replace(*change)
    for content in (b"no model", b"", b"\0" * 4096):
        path = write(tmp_path / "ours.fmu", {"modelDescription.xml": text, BINARY[3]: shared_object(3, 0, ""),
                                            "resources/model.bin": content})
        _, errors = check(path, "--steps", "3")
        assert any("damaged" in error or "version" in error for error in errors), errors


def test_an_engine_that_never_ends_is_ended_by_the_limit(small, tmp_path):
    """resources/model.bin of a model that this program steps too slowly for --call-limit."""
    fmu = tmp_path / "chain.fmu"
    subprocess.run([TACTUS, "fmu", "export", "chain:n=64", "--out", fmu], check=True, capture_output=True)
    _, errors = check(fmu, "--step", "60s", "--steps", "1", "--call-limit", "50ms")
    assert any("does not return within 0.05" in error for error in errors), errors
    assert any("the engine of this program with resources/model.bin does not return" in error for error in errors), errors
