"""A session that asks for a real-time class and does not get it: the Python library and the C++ program warn."""
# Covers: clients/cpp/session.cpp

import os
import subprocess

import pytest
from conftest import BUILD, Server

import tactus

# Without the capability and without a limit, the system grants no class to any user.
POWERLESS = ["prlimit", "--rtprio=0:0"]
if os.getuid() == 0:
    POWERLESS += ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]


@pytest.fixture
def powerless(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--paused", "--priority", "7", prefix=POWERLESS) as server:
        yield server


def test_the_start_of_a_session_without_its_class_warns(powerless):
    with tactus.connect(powerless.address) as client, client.create_session("four_bar") as session:
        with pytest.warns(tactus.BestEffortWarning, match="best effort: SCHED_FIFO 7: ") as caught:
            started = session.start()
        assert caught[0].filename == __file__
        assert any(grant.asked == "SCHED_FIFO 7" and not grant.granted for grant in started.realtime_grants)


def test_a_session_that_asks_for_no_class_does_not_warn(powerless, recwarn):
    with tactus.connect(powerless.address) as client, client.create_session("four_bar", priority=0) as session:
        session.start()
    assert not [warning for warning in recwarn if warning.category is tactus.BestEffortWarning]


def test_the_cpp_client_warns_on_stderr(powerless):
    command = [BUILD / "tactus", "session", "start", "main", "--server", powerless.address]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert "tactus: warning: session main runs at best effort: SCHED_FIFO 7: " in done.stderr
