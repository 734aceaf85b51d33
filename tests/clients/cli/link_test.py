"""Links for devices from the shell: opened, driven by the example in C, listed, closed; and the test of the way."""
# Covers: clients/cli/comm_drive.cpp, clients/udp/examples/device.c

import json
import select
import socket
import stat
import subprocess
import time

import pytest
from conftest import BUILD, Server

import tactus


def program(*arguments):
    return subprocess.run([BUILD / "tactus", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def external(tmp_path):
    """A server whose session ticks with the datagrams of a device."""
    address = f"unix:{tmp_path}/s.sock"
    with Server(address, "motor_four_bar", "--clock", "external", "--udp", "127.0.0.1:0") as server:
        yield server


def test_the_example_drives_a_session_from_a_link_file(tmp_path, external):
    path = tmp_path / "link.txt"
    remote = ["--server", external.address]
    opened = program("link", "open", *remote, "--inputs", "motor", "--outputs", "crank_rate", "--out", path)
    assert opened.returncode == 0, opened.stderr
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    secret = dict(line.split() for line in path.read_text().splitlines())["key"]
    assert secret not in opened.stdout

    device = subprocess.run([BUILD / "clients/udp/tactus_device", path, "300"], capture_output=True, text=True)
    assert device.returncode == 0, device.stderr
    assert device.stdout.startswith("tick 300, rate ")
    [link] = json.loads(program("link", "list", *remote, "--json").stdout)["links"]
    assert link["open"]
    assert link["counts"]["fresh"] + link["counts"]["lost"] == 300
    closed = json.loads(program("link", "close", link["id"], *remote, "--json").stdout)["links"][0]
    assert closed["ended"] == "closed"
    assert program("link", "close", 99, *remote).returncode == 2

    # The same inputs over gRPC: the same bits.
    with tactus.connect(external.address) as client:
        reached = client.session("main").state_hash
        with client.create_session("motor_four_bar", clock="lockstep") as session:
            with session.tick(inputs=["motor"], outputs=["crank_rate"]) as stream:
                rate = 0.0
                for _ in range(300):
                    rate = stream.step({"motor": 1.0 - 0.1 * rate})["crank_rate"]
            assert session.state_hash == reached


def test_a_link_may_take_over_with_a_reason(tmp_path, external):
    remote = ["--server", external.address, "--inputs", "motor", "--out", tmp_path / "link.txt"]
    assert program("link", "open", *remote, "--controller", "wheel").returncode == 0
    refused = program("link", "open", *remote)
    assert refused.returncode == 2
    assert '"wheel" already drives' in refused.stderr
    assert program("link", "open", *remote, "--controller", "bench", "--takeover", "the wheel hangs").returncode == 0
    with tactus.connect(external.address) as client:
        assert [group.controller for group in client.session("main").status().groups] == ["bench"]


def test_commtest_drives_a_session_by_datagrams_too(external):
    shown = program("commtest", external.address, "--udp", "--duration", "300ms", "--period", "2ms", "--json")
    report = json.loads(shown.stdout)
    assert report["ticks"] >= 150
    assert report["inputs_sent"] >= report["fresh"] > 0
    assert report["datagrams"]["inputs_forged"] == 0
    assert report["round_trip"]["count"] > 0
    assert shown.returncode == (1 if report["verdict"] == "not sufficient" else 0)


def test_commtest_by_datagrams_ends_when_its_session_does(external):
    with subprocess.Popen([BUILD / "tactus", "commtest", external.address, "--udp", "--duration", "10min"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as test:
        with tactus.connect(external.address) as client:
            driven = []
            while not driven and test.poll() is None:
                driven = [session.name for session in client.sessions() if session.name != "main" and session.tick > 0]
                time.sleep(0.01)
            client.session(driven[0]).delete()
        said = test.communicate(timeout=60)[1]
    assert test.returncode == 2
    assert "no datagram from" in said and "session list" in said


def test_a_link_whose_file_cannot_be_written_is_closed(tmp_path, external):
    remote = ["--server", external.address, "--inputs", "motor"]
    failed = program("link", "open", *remote, "--out", tmp_path / "no" / "link.txt")
    assert failed.returncode == 2
    assert "cannot write" in failed.stderr and "no link is open" in failed.stderr
    opened = program("link", "open", *remote, "--out", tmp_path / "link.txt")
    assert opened.returncode == 0, opened.stderr


def test_a_server_without_datagrams_refuses_links(address, tmp_path):
    refused = program("link", "open", "--server", address, "--inputs", "throttle", "--out", tmp_path / "link.txt")
    assert refused.returncode != 0
    assert "--udp" in refused.stderr
    assert not (tmp_path / "link.txt").exists()
    assert program("serve", "--udp", "10.0.0.1:5000").returncode == 2


def test_the_example_starts_again_on_a_persistent_link(tmp_path, external):
    """Also after its idle limit: the numbers of its datagrams go on rising, and nobody opens the link again."""
    path = tmp_path / "link.txt"
    remote = ["--server", external.address]
    opened = program("link", "open", *remote, "--inputs", "motor", "--outputs", "crank_rate", "--persistent",
                     "--idle-limit", "50ms", "--out", path)
    assert opened.returncode == 0, opened.stderr
    for ticks in (100, 200):
        device = subprocess.run([BUILD / "clients/udp/tactus_device", path, "100"], capture_output=True, text=True)
        assert device.returncode == 0, device.stderr
        assert device.stdout.startswith(f"tick {ticks}, rate ")
        while not json.loads(program("link", "list", *remote, "--json").stdout)["links"][0]["idle"]:
            pass
    assert "waits for its device" in program("link", "list", *remote).stdout


def test_the_example_goes_on_after_answers_that_are_late_or_lost(tmp_path, external):
    """A relay keeps answers back until the device has sent other inputs, or drops them."""
    path = tmp_path / "link.txt"
    remote = ["--server", external.address]
    opened = program("link", "open", *remote, "--inputs", "motor", "--outputs", "crank_rate", "--out", path)
    assert opened.returncode == 0, opened.stderr
    words = dict(line.split() for line in path.read_text().splitlines())
    server = (words["host"], int(words["port"]))
    until = {1: 4, 40: 42, 80: 81}  # number of the answer: number of the input before it
    lost = {2, 3, 4, 120}  # the device knows the tick of its first input only after others have made ticks
    inputs = answers = 0
    kept = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as relay:
        relay.bind((server[0], 0))
        words["port"] = relay.getsockname()[1]
        path.write_text("".join(f"{word} {value}\n" for word, value in words.items()))
        with subprocess.Popen([BUILD / "clients/udp/tactus_device", path, "300"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as device:
            while device.poll() is None:
                if not select.select([relay], [], [], 0.1)[0]:
                    continue
                data, sender = relay.recvfrom(2048)
                if sender != server:
                    peer, inputs = sender, inputs + 1
                    relay.sendto(data, server)
                else:
                    answers += 1
                    kept += [(until.get(answers, 0), data)] if answers not in lost else []
                for entry in [entry for entry in kept if entry[0] <= inputs]:
                    kept.remove(entry)
                    relay.sendto(entry[1], peer)
            said, problem = device.communicate(timeout=60)
    assert device.returncode == 0, problem
    [link] = json.loads(program("link", "list", *remote, "--json").stdout)["links"]
    counts = link["counts"]
    assert inputs == 300 == counts["fresh"] and counts["lost"] == 0
    # Each input made its tick but the few that named a tick which an input without a number had made.
    assert said.startswith(f"tick {300 - counts['late']}, rate ") and counts["late"] <= 3


def test_the_example_drives_a_session_in_real_time(tmp_path):
    path = tmp_path / "link.txt"
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--udp", "127.0.0.1:0") as server:
        remote = ["--server", server.address]
        opened = program("link", "open", *remote, "--inputs", "motor", "--outputs", "crank_rate", "--out", path)
        assert opened.returncode == 0, opened.stderr
        device = subprocess.run([BUILD / "clients/udp/tactus_device", path, "300"], capture_output=True, text=True)
        assert device.returncode == 0, device.stderr
        [link] = json.loads(program("link", "list", *remote, "--json").stdout)["links"]
        assert link["counts"]["refusals_sent"] == 0
        assert link["counts"]["fresh"] > 0

        # It ends some time after the server, and takes no number of ticks that is none.
        device = subprocess.Popen([BUILD / "clients/udp/tactus_device", path, "1000000000"], stderr=subprocess.PIPE, text=True)
        while json.loads(program("link", "list", *remote, "--json").stdout)["links"][0]["counts"]["fresh"] < 400:
            assert device.poll() is None, device.communicate()[1]
        assert server.stop() == 0
        problem = device.communicate(timeout=60)[1]
        assert device.returncode == 3 and "the server or the link has ended" in problem.splitlines()[-1]
    for ticks in ("abc", "0", "3x"):
        refused = subprocess.run([BUILD / "clients/udp/tactus_device", path, ticks], capture_output=True, text=True)
        assert (refused.returncode, refused.stderr) == (2, "device: TICKS must be a whole number above zero\n")
