"""A wall clock that jumps while a session runs and records: ticks are paced by another clock, and files stay whole."""

import json
import subprocess
import time

from conftest import BUILD, Server

import tactus

HOUR = 3600
YEAR = 365 * 24 * HOUR


def test_jumps_of_the_wall_clock_delay_no_tick(tmp_path, monkeypatch):
    shift = tmp_path / "shift"
    shift.write_text("0")
    # The server gets the wall clock of wall_clock.cpp; this process keeps its own.
    monkeypatch.setenv("LD_PRELOAD", str(BUILD / "tests/clients/cli/libwall_clock.so"))
    monkeypatch.setenv("TACTUS_CLOCK_SHIFT", str(shift))
    recorded = tmp_path / "run.mcap"
    address = f"unix:{tmp_path}/s.sock"
    with Server(address, "motor_four_bar", "--record", str(recorded)) as server:
        monkeypatch.delenv("LD_PRELOAD")
        with tactus.connect(address) as client:
            session = client.session("main")
            begin, before = time.monotonic(), session.timing(reset=True)
            assert before.period_ns == 1_000_000
            with session.observe(["crank_angle"]) as frames:
                for jump in (HOUR, -HOUR, YEAR, -YEAR, 0):
                    last = session.status().tick
                    shift.write_text(str(jump))
                    for frame in frames:
                        if frame.tick > last + 200:
                            break
                    # The server does see another time of day, and ticks as before.
                    assert abs(frame.server_time_ns * 1e-9 - time.time() - jump) < 60
            report = session.timing()
            elapsed = time.monotonic() - begin
            # Ticks that ran and those that were missed are the time that passed, neither more nor less by an hour.
            points = report.ticks + report.missed_deadlines
            assert 1000 <= points <= 1e3 * elapsed + 2
        assert server.stop() == 0
    replayed = subprocess.run([BUILD / "tactus", "replay", str(recorded), "--json"], capture_output=True, text=True)
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["ticks"] > 1000
