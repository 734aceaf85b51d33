"""Controllers that are killed, again and again, beside others that only want their frames."""

import os
import random
import subprocess
import time

from conftest import BUILD, Server

import tactus

# The slow test has TACTUS_CLIENT_KILLS=1000.
KILLS = int(os.environ.get("TACTUS_CLIENT_KILLS", "5"))
SEED = 20181
WATCHERS = 4


def await_controller(session, there):
    """Waits until somebody drives the session, or nobody; returns how long that took, s."""
    begin = time.monotonic()
    while bool(session.status().groups[0].controller) != there:
        pass
    return time.monotonic() - begin


def test_killed_controllers_cost_no_reader_a_frame(tmp_path):
    dice = random.Random(SEED)
    address = f"unix:{tmp_path}/s.sock"
    noticed = []
    with Server(address, "motor_four_bar") as server, tactus.connect(address) as client:
        command = [BUILD / "tests/clients/cli/watcher", address]
        watchers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(WATCHERS)]
        assert all(watcher.stdout.readline().startswith("from tick") for watcher in watchers)
        session = client.session("main")
        for _ in range(KILLS):
            drive = [BUILD / "tactus_drive", "--server", address, "--session", "main"]
            victim = subprocess.Popen(drive, stdout=subprocess.DEVNULL)
            await_controller(session, True)
            time.sleep(dice.uniform(0.0, 0.03))
            victim.kill()
            noticed.append(await_controller(session, False))
            victim.wait()
        assert session.timing().input_losses <= KILLS
        assert server.stop() == 0
        for watcher in watchers:
            output, _ = watcher.communicate(timeout=60)
            assert watcher.returncode == 0, output
            assert "gaps 0, missed 0" in output
    noticed.sort()
    print(f"{KILLS} kills, seed {SEED}: noticed after {1e3 * noticed[KILLS // 2]:.1f} ms, {1e3 * noticed[-1]:.1f} ms at most")
