"""Files that the program and the package write: only their owner may read them, whatever the umask."""
# Covers: clients/python/tactus/private_file.py, server/main.cpp, clients/cpp/download.cpp, server/cli/output_file.h

import errno
import importlib.util
import json
import os
import re
import resource
import signal
import stat
import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, HAS_NATIVE, SOURCE, Server, needs_native
from tactus import build
from tactus.private_file import draft_of, private_file, private_folder

# Options that name what is written. `model draw` needs a browser, and pictures of built-in models are no secret; the others are
# run below.
WRITING = {"--out", "--report", "--audit-log", "--record", "--recordings"}
NOT_RUN = {("model", "draw", "--out")}
PUBLIC = 0o644  # certificates and lists of revoked certificates
PLAN = {"model": "motor_four_bar", "until": "20ms", "period": "1ms", "variables": {"inputs.motor": [0.0, 0.4]},
        "metrics": {"peak": {"max": "crank_angle"}}}
BEAM = {"name": "m", "gravity": [0, 0, 0], "composites": [{"name": "bar", "beam": {
    "points": [{"position": [0, 0, 0]}, {"position": [2, 0, 0]}], "elements": 8, "material": {"young": 2e11, "density": 7800},
    "stations": [{"rectangle": {"width": 0.02, "height": 0.04}}]}}]}
URDF = """<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint></robot>"""


@pytest.fixture(autouse=True)
def open_umask():
    """Nothing is private by itself."""
    former = os.umask(0)
    yield
    os.umask(former)


def run(*words, codes=(0,)):
    """Runs the program; returns the words of the command and its options that name what it writes."""
    words = [str(word) for word in words]
    done = subprocess.run([BUILD / "tactus", *words], capture_output=True, text=True)
    assert done.returncode in codes, (words, done.stdout, done.stderr)
    command = words[: next((i for i, word in enumerate(words) if word not in COMMANDS), len(words))]
    return {(*command, word) for word in words if word in WRITING}


def help_of(*command):
    return subprocess.run([BUILD / "tactus", *command, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands(text):
    block = text.partition("Subcommands:\n")[2].partition("\n\n")[0]
    return [line.split()[0].rstrip(",") for line in block.splitlines() if re.match(r"  \S", line)]


def walk(*command):
    """Each command with the options that name what it writes."""
    text = help_of(*command)
    found = {(*command, option) for option in WRITING if re.search(rf"^  (-\w,)?{option}[ ,]", text, re.M)}
    for name in subcommands(text):
        found |= walk(*command, name)
    return found


COMMANDS = {word for path in walk() for word in path[:-1]} | {"certificate", "new-ca", "revoke", "save", "sweep"}


def modes_in(folder):
    """Mode of each file and folder below a folder, by its path."""
    return {
        str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode)
        for path in folder.rglob("*")
        if not path.is_socket()
    }


def check_modes(folder, names):
    """Every name is there, and all that is there is private."""
    modes = modes_in(folder)
    assert set(names) <= set(modes), set(names) - set(modes)
    for name, mode in modes.items():
        public = name.endswith((".crt", ".crl"))
        expected = 0o700 if (folder / name).is_dir() else PUBLIC if public else 0o600
        assert mode == expected, f"{name} has mode {mode:o}"


@needs_native
def test_each_command_that_writes_writes_private_files(tmp_path):
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "arm.urdf").write_text(URDF)
    (inputs / "beam.json").write_text(json.dumps(BEAM))
    (inputs / "plan.json").write_text(json.dumps(PLAN))
    out = tmp_path / "out"
    out.mkdir(0o700)
    done = run("run", "motor_four_bar", "--until", "5ms", "--out", out / "run.mcap")
    done |= run("run", "motor_four_bar", "--until", "5ms", "--out", out / "run.csv")
    done |= run("export", out / "run.mcap", "--out", out / "export.csv")
    done |= run("validate", "motor_four_bar", "--until", "5ms", "--report", out / "validate.html", codes=(0, 1))
    done |= run("qualify", "motor_four_bar", "--duration", "20ms", "--reruns", "1", "--priority", "0", "--report",
                out / "qualify.html", codes=(0, 1))
    done |= run("analyse", "linearize", "motor_four_bar", "--out", out / "linear", codes=(0, 1))
    done |= run("analyse", "modes", "motor_four_bar", "--out", out / "modes", codes=(0, 1))
    done |= run("analyse", "response", "motor_four_bar", "--out", out / "response", codes=(0, 1))
    done |= run("analyse", "sensitivity", "motor_four_bar", "--until", "5ms", "--parameters", "rocker_mass",
                "--out", out / "sensitivity")
    done |= run("analyse", "equilibrium", "motor_four_bar", "--out", out / "equilibrium.json")
    done |= run("analyse", "trim", "motor_four_bar", "--require", "crank_angle=1.5", "--free", "motor",
                "--out", out / "trim.json")
    done |= run("model", "import", inputs / "arm.urdf", "--out", out / "arm.json", "--report", out / "lost.json")
    done |= run("model", "reduce", inputs / "beam.json", "--interface", "bar.0", "bar.8", "--modes", "12", "--free-modes", "6",
                "--name", "flex", "--out", out / "reduced.json")
    done |= run("fmu", "export", "motor_four_bar", "--out", out / "four_bar.fmu")
    done |= run("sweep", inputs / "plan.json", "--out", out / "sweep/first")
    run("certificate", "new-ca", "--folder", out / "ca")
    done |= run("certificate", "issue", "--folder", out / "ca", "--name", "lab", "--role", "control", "--out", out / "ca")
    run("certificate", "revoke", "--folder", out / "ca", "--name", "lab")
    done |= run("token", "new", "--name", "lab", "--role", "control", "--file", out / "tokens", "--out", out / "lab.token")

    address = f"unix:{tmp_path}/server.sock"
    # It stays in the declared state, near which there is a trim.
    with Server(address, "motor_four_bar", "--paused", "--disk-reserve", "0", "--recordings", str(out / "recordings"), "--udp",
                "127.0.0.1:0", "--record", str(out / "served.mcap"), "--audit-log", str(out / "audit.log")) as server:
        done |= {("serve", "--recordings"), ("serve", "--record"), ("serve", "--audit-log")}
        at = ("--server", address)
        run("recording", "start", "one", *at)
        run("recording", "stop", "one", *at)
        done |= run("recording", "download", "one", "--out", out / "downloaded.mcap", *at)
        run("snapshot", "save", out / "snapshot.bin", *at)
        done |= run("link", "open", "--inputs", "motor", "--out", out / "link.txt", *at)
        done |= run("analyse", "session", "equilibrium", "--out", out / "found.bin", *at)
        done |= run("analyse", "session", "trim", "--require", "crank_angle=1.5", "--free", "motor", "--out",
                    out / "trim.bin", *at)
        server.stop()
    check_modes(out, {"recordings", "recordings/one.mcap", "served.mcap", "audit.log", "ca/ca.key", "ca/lab.key", "tokens",
                      "linear/A.csv", "sweep/first/results.npz", "snapshot.bin", "downloaded.mcap"})
    # A new option that writes has its command here.
    assert walk() - NOT_RUN == done


def test_a_file_that_exists_keeps_its_mode(tmp_path):
    shared = tmp_path / "shared.csv"
    shared.touch(0o644)
    run("run", "motor_four_bar", "--until", "5ms", "--out", shared)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o644
    assert shared.stat().st_size > 0


def test_the_package_writes_private_files(tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    out.mkdir(0o700)
    model = build.Model("space", gravity=[0, 0, 0])
    model.write(out / "model.json")
    model.write(out / "model.txtpb")
    model.draw(out / "picture")
    model.draw(out / "picture.svg")
    files = {"picture", "picture.svg"}
    if HAS_NATIVE and importlib.util.find_spec("scipy"):
        tactus.Simulation("motor_four_bar").linearize().to_mat(out / "system.mat")
        files.add("system.mat")
    with Server(f"unix:{tmp_path}/server.sock", "motor_four_bar", "--disk-reserve", "0", "--recordings",
                str(tmp_path / "server")) as server, tactus.connect(server.address) as client:
        recorder = tactus.Recorder()
        with client.session("main").observe(["crank_angle"]) as frames:
            recorder.add(next(iter(frames)))
        recorder.to_csv(out / "frames.csv")
        name = client.session("main").record().name
        client.stop_recording(name)
        client.download_recording(name, out / "recording.mcap")
    check_modes(out, files | {"model.json", "model.txtpb", "frames.csv", "recording.mcap"})


def test_no_module_of_the_package_writes_a_file_without_the_helper():
    writing = re.compile(
        r"open\([^()]*[\"'][wax]|write_text\(|write_bytes\(|savefig\(|savez\w*\(|savemat\(|np\.save\(|savetxt\(|mkdir\(|makedirs\("
    )
    for module in sorted((SOURCE / "clients/python/tactus").rglob("*.py")):
        if module.name == "private_file.py":
            continue
        before = ""
        for number, line in enumerate(module.read_text().splitlines(), 1):
            if writing.search(line):
                near = before + line  # in the line or in the one before it
                # A download continues the beginning that a file has; all others write a draft.
                helper = "private_file(path)" if module.name == "download.py" else "private_file(draft)"
                assert helper in near or "private_folder(" in near, f"{module}:{number}: {line.strip()}"
            before = line


def test_the_helper_makes_what_is_missing_and_changes_nothing_else(tmp_path):
    deep = private_folder(tmp_path / "a/b")
    np.savetxt(private_file(deep / "c.csv"), np.zeros(2))
    os.symlink("target.csv", deep / "link.csv")
    private_file(deep / "link.csv").write_text("x")
    modes = modes_in(tmp_path)
    assert [modes[name] for name in ("a", "a/b", "a/b/c.csv", "a/b/target.csv")] == [0o700, 0o700, 0o600, 0o600]
    (deep / "c.csv").chmod(0o640)
    assert private_file(deep / "c.csv").read_text().startswith("0.0")
    assert stat.S_IMODE((deep / "c.csv").stat().st_mode) == 0o640
    with pytest.raises(FileNotFoundError):
        private_file(tmp_path / "nowhere/x")


def test_a_draft_takes_the_place_of_a_file_when_all_is_written_and_else_nothing_changes(tmp_path):
    path = tmp_path / "model.json"
    for mode in (0o600, 0o640):  # that of a new file, and that of the file which was there
        build.Model("first").write(path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o640)
    before = path.read_bytes()
    for failure in (ValueError("no"), OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()):
        with pytest.raises(type(failure), match="no|model.json|"), draft_of(path) as draft:
            private_file(draft).write_text("half")
            raise failure
        assert path.read_bytes() == before and os.listdir(tmp_path) == ["model.json"]
    os.symlink("model.json", tmp_path / "link.json")
    build.Model("second").write(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink() and build.read(path).name == "second"
    with pytest.raises(FileNotFoundError, match="nowhere/model.json"):
        build.Model("third").write(tmp_path / "nowhere/model.json")
    with pytest.raises(OSError, match="No space"), draft_of("/dev/full") as draft:
        private_file(draft).write_text("x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_full_disk_leaves_the_model_that_was_there(tmp_path):
    small = build.Model("small")
    large = build.Model("large", description="x" * 100_000)
    for name in ("model.json", "model.txtpb"):
        small.write(tmp_path / name)
        before = (tmp_path / name).read_bytes()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))  # as a disk that is full then
        try:
            with pytest.raises(OSError, match=name):
                large.write(tmp_path / name)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, former)
        assert (tmp_path / name).read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["model.json", "model.txtpb"]


def test_a_full_disk_leaves_what_the_program_was_to_replace(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "beam.json").write_text(json.dumps(BEAM))
    out = tmp_path / "out"
    out.mkdir()
    commands = {
        "equilibrium.json": ("analyse", "equilibrium", "motor_four_bar", "--out"),
        "trim.json": ("analyse", "trim", "motor_four_bar", "--require", "crank_angle=1.5", "--free", "motor", "--out"),
        "arm.json": ("model", "import", tmp_path / "arm.urdf", "--out"),
        "lost.json": ("model", "import", tmp_path / "arm.urdf", "--report"),
        "reduced.json": ("model", "reduce", tmp_path / "beam.json", "--interface", "bar.0", "bar.8", "--modes", "12",
                         "--free-modes", "6", "--name", "flex", "--out"),
        "validate.html": ("validate", "motor_four_bar", "--until", "5ms", "--report"),
        "qualify.html": ("qualify", "motor_four_bar", "--duration", "20ms", "--reruns", "1", "--priority", "0", "--report"),
    }
    # Reports replace reports alone.
    there = '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"></head><body><p class="verdict good">what was there'
    for name, words in commands.items():
        (out / name).write_text(there)
        done = subprocess.run([BUILD / "tactus", *words, out / name], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))  # bytes
        assert done.returncode == 2 and f"{name}: cannot be written: File too large" in done.stderr, done.stdout + done.stderr
    assert {path.name: path.read_text() for path in out.iterdir()} == dict.fromkeys(commands, there)


def test_a_picture_has_the_name_that_was_given_and_an_unknown_ending_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    model = build.Model("space")
    model.draw(tmp_path / "picture")
    assert os.listdir(tmp_path) == ["picture"] and (tmp_path / "picture").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="picture.xyz: there is no format .xyz of pictures"):
        model.draw(tmp_path / "picture.xyz")
    assert os.listdir(tmp_path) == ["picture"]
    with pytest.raises(OSError, match="No space"):
        model.draw("/dev/full")
