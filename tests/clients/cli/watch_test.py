"""Live tables in the shell: signals, timing, on a terminal and in a pipe; values by `tactus get`; links in a list."""
# Covers: clients/cli/watch.cpp, clients/cli/parameters.cpp, clients/cli/timing.cpp, clients/cli/link.cpp

import json
import os
import pty
import signal
import subprocess

from conftest import BUILD, Server


def tactus(*arguments):
    return subprocess.run([BUILD / "tactus", *map(str, arguments)], capture_output=True, text=True)


def on_terminal(*arguments):
    """What a command prints on a terminal, and its exit code."""
    screen, end = pty.openpty()
    process = subprocess.Popen([BUILD / "tactus", *map(str, arguments)], stdout=end, stderr=end)
    os.close(end)
    shown = b""
    try:
        while part := os.read(screen, 4096):
            shown += part
    except OSError:  # the terminal closes with the command
        pass
    os.close(screen)
    return shown.decode(), process.wait()


def test_watch_prints_the_values_of_signals_with_units_and_extremes(address, lockstep):
    lockstep.step(5)
    where = ("--server", address, "--session", lockstep.name)
    shown = tactus("watch", "crank_angle", "energy.*", *where, "--count", "2", "--every", "1ms")
    assert shown.returncode == 0, shown.stderr
    first, second = shown.stdout.split("\n\n")
    assert first.startswith(f"session {lockstep.name}: ")
    assert "at tick 5 (0.005 s)" in first
    rows = {line.split()[0]: line.split() for line in first.splitlines()[2:]}
    assert "energy.total" in rows
    assert rows["crank_angle"][2] == "rad"
    assert rows["crank_angle"][1] == rows["crank_angle"][3] == rows["crank_angle"][4]
    assert second.strip().splitlines()[2:] == first.splitlines()[2:]  # nothing has moved


def test_watch_and_get_take_globs_that_begin_and_end_with_brackets(address, lockstep):
    where = ("--server", address, "--session", lockstep.name, "--json")
    wanted = {f"{body}.r.{axis}" for body in ("crank", "coupler", "rocker") for axis in "xy"}
    shown = tactus("watch", "[cr]*.r.[xy]", *where, "--count", "1")
    assert shown.returncode == 0, shown.stderr
    assert set(json.loads(shown.stdout)["values"]) == wanted
    read = tactus("get", "[cr]*.r.[xy]", *where)
    assert read.returncode == 0, read.stderr
    assert {signal["name"] for signal in json.loads(read.stdout)["signals"]} == wanted


def test_a_full_disk_ends_a_live_report_with_its_reason(address, lockstep):
    where = ("--server", address, "--session", lockstep.name, "--every", "1ms")
    for command in (("watch",), ("watch", "--json"), ("timing", "--watch"), ("timing", "--watch", "--json")):
        with open("/dev/full", "w") as full:
            ended = subprocess.run([BUILD / "tactus", *command, *where], stdout=full, stderr=subprocess.PIPE, text=True,
                                   timeout=60)
        assert ended.returncode == 2, command
        assert "No space left" in ended.stderr, command


def test_watch_as_json_follows_the_ticks_until_the_session_is_gone(address, lockstep):
    command = ["watch", "crank_angle", "--server", address, "--session", lockstep.name, "--every", "5ms", "--json"]
    process = subprocess.Popen([BUILD / "tactus", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert json.loads(process.stdout.readline())["tick"] == 0
    lockstep.step(10)
    seen = {"tick": 0}
    while seen["tick"] < 10:
        seen = json.loads(process.stdout.readline())
    assert seen["values"]["crank_angle"] == lockstep.read("crank_angle")["crank_angle"]
    assert seen["sim_time_ns"] == 10_000_000
    lockstep.delete()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "SESSION_UNKNOWN" in errors


def test_watch_goes_on_with_the_signals_of_a_session_that_takes_the_name_of_the_one_before(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "four_bar", "--clock", "lockstep") as server:
        remote = ("--server", server.address)
        # Long enough that it stands still between two readings when it is stopped.
        command = [BUILD / "tactus", "watch", *remote, "--every", "1s", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            before = json.loads(process.stdout.readline())["values"]
            process.send_signal(signal.SIGSTOP)
            assert tactus("session", "delete", "main", *remote).returncode == 0
            assert tactus("session", "create", "chain:n=16", "--name", "main", "--clock", "lockstep", *remote).returncode == 0
            process.send_signal(signal.SIGCONT)
            after = json.loads(process.stdout.readline())["values"]
            process.terminate()
    assert len(after) > len(before)
    assert "link_16.r.x" in after and "link_16.r.x" not in before


def test_tables_replace_each_other_on_a_terminal_alone(address, lockstep):
    where = ("--server", address, "--session", lockstep.name)
    for command in (["watch", "crank_angle", "--count", "2", "--every", "1ms"],):
        shown, code = on_terminal(*command, *where)
        assert code == 0, shown
        assert shown.count("\x1b[H\x1b[J") == 2
        assert "\x1b" not in tactus(*command, *where).stdout


def test_timing_watch_leads_with_state_and_authority_and_gives_rates_of_the_interval(address, lockstep):
    lockstep.step(7)
    command = ["timing", "--server", address, "--session", lockstep.name, "--watch", "--every", "10ms"]
    process = subprocess.Popen([BUILD / "tactus", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [process.stdout.readline()]
    while not lines[-1].startswith("in the last"):
        lines.append(process.stdout.readline())
        assert lines[-1]
    assert lines[0].startswith(f"session {lockstep.name}: running at tick 7 (0.007 s), authority: ")
    assert lines[-2].startswith(f"session {lockstep.name}: ")
    assert " 0.0 ticks/s " in lines[-1]
    lockstep.delete()
    process.communicate(timeout=60)
    assert process.returncode == 2


def test_get_reads_parameters_and_signals_by_name(address, lockstep):
    lockstep.step(3)
    where = ("--server", address, "--session", lockstep.name)
    report = json.loads(tactus("get", "rocker_mass", "crank_angle", "energy.*", *where, "--json").stdout)
    assert [parameter["name"] for parameter in report["parameters"]] == ["rocker_mass"]
    values = {signal["name"]: signal for signal in report["signals"]}
    assert report["tick"] == 3
    assert values["crank_angle"]["value"] == lockstep.read("crank_angle")["crank_angle"]
    assert values["crank_angle"]["unit"] == "rad"
    assert "energy.total" in values
    shown = tactus("get", "crank_angle", *where)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("after tick 3 (0.003 s)\n")
    assert "rocker_mass" not in shown.stdout
    unknown = tactus("get", "crank_angel", *where)
    assert unknown.returncode == 2
    assert "parameter" in unknown.stderr and "crank_angle" in unknown.stderr


def test_links_are_listed_with_inputs_that_are_fresh_used_and_ignored_in_the_safe_state(tmp_path):
    path = tmp_path / "link.txt"
    address = f"unix:{tmp_path}/s.sock"
    with Server(address, "motor_four_bar", "--clock", "external", "--udp", "127.0.0.1:0"):
        remote = ["--server", address]

        def drive(ticks):
            """The counts of a link of its own, through which a device has driven so many ticks."""
            opened = tactus("link", "open", *remote, "--inputs", "motor", "--outputs", "crank_rate", "--out", path, "--json")
            assert opened.returncode == 0, opened.stderr
            identity = json.loads(opened.stdout)["links"][0]["id"]
            device = subprocess.run([BUILD / "clients/udp/tactus_device", path, str(ticks)], capture_output=True, text=True)
            assert device.returncode == 0, device.stderr
            listed = tactus("link", "list", *remote).stdout.splitlines()
            [link] = json.loads(tactus("link", "close", identity, *remote, "--json").stdout)["links"]
            return link["counts"], listed

        counts, (header, row) = drive(50)
        assert counts["fresh"] == counts["used"] + counts["refusals_sent"]
        assert counts["used"] > 0 == counts["left_aside"]
        for column in ("fresh", "used", "ignored in the safe state", "lost", "refused", "unusable datagrams"):
            assert column in header
        assert row.split()[3:6] == [str(counts["fresh"]), str(counts["used"]), "0"]

        # In the safe state each datagram is a tick, which ignores its input.
        assert tactus("safe", *remote).returncode == 0
        counts, _ = drive(20)
        assert counts["left_aside"] == counts["fresh"] > 0 == counts["used"]
