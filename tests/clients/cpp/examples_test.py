"""The C++ examples as programs: what they print, what they write, how they end."""
# Covers: clients/cpp/examples/run_example.h, clients/cpp/examples/signal_watch.h, clients/cpp/server_options.h
# Covers: clients/cpp/examples/drive.cpp, clients/cpp/examples/simulator.cpp

import re
import signal
import subprocess

import numpy as np

from conftest import BUILD, Server


def names_of(client):
    return {session.name for session in client.sessions()}


def drive(*arguments):
    return [BUILD / "tactus_drive", *arguments]


def test_driving_sends_an_input_at_every_tick_and_reads_every_frame(address, realtime, tmp_path):
    table = tmp_path / "drive.csv"
    command = drive("--server", address, "--session", realtime.name, "--duration", "1s", "--every", "200ms")
    command += ["--csv", table]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.count("round trip p50") >= 2

    found = re.search(
        r"ticks (\d+) to (\d+), frames received (\d+), missed (\d+); inputs sent (\d+), seen in a frame (\d+)", output
    )
    first, last, received, missed, sent, seen = map(int, found.groups())
    assert received + missed == last - first + 1
    assert sent == received
    assert 0 < seen <= sent

    # The file holds what was received: one line a frame, the input that was sent among its columns.
    names = table.read_text().splitlines()[0].split(",")
    assert names[0] == "t" and names[-2:] == ["input_age_ticks", "round_trip"]
    rows = np.genfromtxt(table, delimiter=",", skip_header=1)
    assert len(rows) == received
    used = rows[rows[:, -2] == 0]
    times = used[:, 0]
    close = np.isclose(used[:, names.index("motor")], np.sin(2 * np.pi * 0.5 * times), atol=1e-12)
    assert close.any()


def test_driving_ends_with_the_server(own_server):
    driver = subprocess.Popen(
        drive("--server", own_server.address, "--every", "50ms"), stdout=subprocess.PIPE, text=True
    )
    for line in driver.stdout:
        if "round trip p50" in line:
            break
    assert own_server.stop() == 0
    output, _ = driver.communicate(timeout=60)
    assert driver.returncode == 0
    assert "drive: ticks" in output


def test_an_interrupt_ends_driving_in_order(address, realtime):
    driver = subprocess.Popen(
        drive("--server", address, "--session", realtime.name, "--every", "50ms"), stdout=subprocess.PIPE, text=True
    )
    for line in driver.stdout:
        if "round trip p50" in line:
            break
    driver.send_signal(signal.SIGINT)
    output, _ = driver.communicate(timeout=60)
    assert driver.returncode == 0
    assert "drive: ticks" in output
    # The session is as free as before.
    with realtime.tick() as stream:
        stream.receive()


def test_an_interrupt_ends_each_example_in_order(address, client, tmp_path):
    inputs = tmp_path / "driver.csv"
    inputs.write_text("t,steering,throttle,brake,gear_ratio\n0,0,0,0,1.4\n")
    before = names_of(client)
    simulator = [BUILD / "tactus_simulator", "--server", address, "--inputs", inputs, "--no-view", "--poses", tmp_path / "poses.csv"]
    lockstep = [BUILD / "tactus_lockstep", "--server", address, "--ticks", "100000000"]
    for command, code in ((simulator, 0), (lockstep, 1)):
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not any(session.tick > 10 for session in client.sessions() if session.name not in before):
            assert program.poll() is None, program.stderr.read()
        program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=60)
        assert program.returncode == code, errors
        assert names_of(client) == before  # its session is gone
    assert (tmp_path / "poses.csv").read_text().endswith("\n")


def test_exit_codes_tell_an_unknown_session_from_an_unreachable_server(address, tmp_path):
    assert subprocess.run(drive("--server", f"unix:{tmp_path}/nobody.sock")).returncode == 3
    assert subprocess.run(drive("--server", address, "--session", "nobody")).returncode == 1
    assert subprocess.run([BUILD / "tactus_lockstep", "--server", f"unix:{tmp_path}/nobody.sock"]).returncode == 3


def test_a_number_of_ticks_that_cannot_be_run_is_refused_in_one_line():
    for ticks in ("-5", "0", "1.5", "1e300", "99999999999999999999", "many"):
        refused = subprocess.run([BUILD / "tactus_lockstep", "--ticks", ticks], capture_output=True, text=True)
        assert refused.returncode == 2
        assert f"--ticks: Value {ticks} not in range 1 to 1000000000\n" in refused.stderr, refused.stderr


def test_the_examples_take_a_token_from_a_file(tmp_path):
    token, table = tmp_path / "token", tmp_path / "tokens"
    made = [BUILD / "tactus", "token", "new", "--name", "driver", "--role", "control", "--file", table, "--out", token]
    subprocess.run(made, check=True)
    address = f"unix:{tmp_path}/server.sock"
    with Server(address, "--token-file", table):
        bare = subprocess.run(drive("--server", address, "--duration", "1s"), capture_output=True, text=True)
        assert bare.returncode == 1
        assert "--token-file or TACTUS_TOKEN_FILE" in bare.stderr, bare.stderr
        named = ("--server", address, "--token-file", token)
        subprocess.run(drive(*named, "--duration", "100ms"), check=True)
        subprocess.run([BUILD / "tactus_lockstep", *named, "--ticks", "10"], check=True)
        subprocess.run([BUILD / "tactus_simulator", *named, "--duration", "100ms", "--no-view"], check=True)


def test_refused_inputs_are_told_once_with_their_range_and_end_with_1(address, realtime):
    wide = drive("--server", address, "--session", realtime.name, "--duration", "1s", "--amplitude", "100")
    done = subprocess.run(wide, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stdout.count("INPUT_REFUSED") == 1
    assert re.search(r'INPUT_REFUSED "motor" = -?[\d.]+ is out of range; from -\d+ to \d+\n', done.stdout), done.stdout
    assert re.fullmatch(r'\d+ inputs were refused, the first one: "motor" = -?[\d.]+ is out of range; from -\d+ to \d+\n', done.stderr), done.stderr
    assert "drive: ticks" in done.stdout


def test_a_notice_without_a_text_is_its_reason_alone(address, realtime):
    command = drive("--server", address, "--session", realtime.name, "--duration", "1s", "--every", "50ms")
    driver = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in driver.stdout:
        if "round trip p50" in line:
            break
    realtime.pause()
    output, _ = driver.communicate(timeout=60)
    assert re.search(r"^notice at tick \d+: SESSION_PAUSED$", output, re.MULTILINE), output


def test_a_drive_of_a_session_that_does_not_tick_ends_and_says_so(address, client):
    with client.create_session("motor_four_bar") as session:
        still = subprocess.run(drive("--server", address, "--session", session.name, "--duration", "300ms"), capture_output=True, text=True, timeout=60)
        assert (still.returncode, still.stderr) == (1, f"the session did not tick; start it with: tactus session start {session.name}\n")


def test_a_drive_of_a_session_in_lockstep_says_what_makes_it_tick(address, client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        still = subprocess.run(drive("--server", address, "--session", session.name, "--duration", "300ms"), capture_output=True, text=True, timeout=60)
        assert (still.returncode, still.stdout) == (1, "")
        assert f"session {session.name} is in lockstep: each tick waits for an input, and this program waits for ticks; run tactus_lockstep, or make" in still.stderr
        assert "session start" not in still.stderr


def test_a_drive_whose_server_ends_before_the_first_frame_has_not_failed(tmp_path):
    address = f"unix:{tmp_path}/server.sock"
    with Server(address, "--paused") as server:
        early = subprocess.Popen(drive("--server", address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert early.stdout.readline().startswith("driving ")
        server.stop()
    out, err = early.communicate(timeout=60)
    assert (early.returncode, err) == (0, "")
    assert out.endswith("drive: the server ended the stream before its first frame\n"), out


def test_a_model_without_inputs_is_refused_in_words(address, client):
    with client.create_session("spin_top", clock="lockstep") as session:
        lockstep = [BUILD / "tactus_lockstep", "--server", address, "--model", "spin_top"]
        for command in (lockstep, drive("--server", address, "--session", session.name)):
            refused = subprocess.run(command, capture_output=True, text=True)
            assert (refused.returncode, refused.stdout) == (1, ""), command
            assert re.fullmatch(r"session '.+' has no inputs to drive; choose another model\n", refused.stderr)


def test_poses_that_cannot_be_written_are_an_error(own_server, tmp_path):
    inputs = tmp_path / "driver.csv"
    inputs.write_text("t,steering,throttle,brake,gear_ratio\n0,0,0,0,1.4\n")
    command = [BUILD / "tactus_simulator", "--inputs", inputs, "--no-view", "--duration", "500ms"]
    # Before the first call: no server listens there.
    for path in (tmp_path / "missing/poses.csv", tmp_path):
        nowhere = ["--server", f"unix:{tmp_path}/nobody.sock", "--poses", path]
        refused = subprocess.run([*command, *nowhere], capture_output=True, text=True)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert f"cannot write '{path}': " in refused.stderr
    full = subprocess.run([*command, "--server", own_server.address, "--poses", "/dev/full"], capture_output=True, text=True)
    assert full.returncode == 1
    assert "cannot write '/dev/full'" in full.stderr


def test_the_simulator_drives_from_a_file_and_draws_between_ticks(own_server, tmp_path):
    inputs, poses = tmp_path / "driver.csv", tmp_path / "poses.csv"
    inputs.write_text("t,steering,throttle,brake,gear_ratio\n0,0.2,0.3,0,1.4\n1,0,0,1,0\n")
    command = [BUILD / "tactus_simulator", "--server", own_server.address, "--inputs", inputs]
    # Far enough behind the newest state that its frames are there, also where they come late. Where the machine is so busy
    # that they come later still, every picture is of the nearest frame: then the car drives again.
    for _ in range(3):
        output = subprocess.run(
            [*command, "--duration", "2s", "--delay", "80ms", "--no-view", "--poses", poses], check=True, capture_output=True, text=True
        ).stdout
        found = re.search(r"simulator: (\d+) frames received, (\d+) missed.*; (\d+) drawn, (\d+) between", output)
        assert output.count("\n") == 1  # nothing was drawn
        received, missed, drawn, between = map(int, found.groups())
        assert received + missed >= 1990
        assert drawn >= 60
        if between > 0:
            break
    assert between > 0
    rows = np.genfromtxt(poses, delimiter=",", skip_header=1)
    assert len(rows) == drawn
    assert rows[-1, 1] > 20  # m forward
    assert rows[-1, 2] > 0.5  # to the left, where it was steered
    assert np.allclose(np.linalg.norm(rows[:, 4:8], axis=1), 1, atol=1e-6)

    broken = subprocess.run([BUILD / "tactus_simulator", "--inputs", tmp_path / "missing"], capture_output=True)
    assert broken.returncode == 1
