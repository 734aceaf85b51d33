"""What Prometheus reads: `tactus metrics`, and the pages of `tactus serve --metrics`."""
# Covers: clients/cli/metrics.cpp, proto/text/page_server.cpp, server/cli/metrics_page.cpp, docker/grafana.json

import contextlib
import json
import pathlib
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from conftest import BUILD, Server


@contextlib.contextmanager
def metrics(server):
    """The URL of the metrics of a server, as long as the block lasts."""
    command = [BUILD / "tactus", "metrics", "--server", server, "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.wait()


def page(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        return answer.read().decode()


def test_the_page_has_every_session_and_each_family_once(address, lockstep):
    lockstep.step(25)
    with metrics(address) as url:
        text = page(url)
        lockstep.step(5)
        later = page(url)
    assert f'tactus_ticks_total{{session="{lockstep.name}"}} 25\n' in text
    assert f'tactus_ticks_total{{session="{lockstep.name}"}} 30\n' in later
    assert 'tactus_ticks_total{session="main"} 0\n' in text
    assert "\ntactus_up 1\n" in text
    families = re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE)
    assert len(families) == len(set(families)) > 20
    # The samples of a family stand behind its comments, without those of another one between them.
    family = None
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            family = line.split()[2]
        elif not line.startswith("#"):
            assert re.match(rf"{family}(_bucket|_sum|_count)?({{| )", line), (family, line)


def test_the_counter_of_frames_is_the_same_before_and_after_an_observer_closes(address, lockstep):
    def frames():
        return re.findall(rf'^tactus_reader_frames_total{{session="{lockstep.name}",.*$', page(url), re.MULTILINE)

    with metrics(address) as url:
        with lockstep.observe(["crank_angle"]) as observation:
            lockstep.step(25)
            assert any(frame.tick == 25 for frame in observation)
            open_still = frames()
        while lockstep.status().observers:
            pass
        assert frames() == open_still
    fates = {re.search('fate="(.*?)"', line)[1]: int(line.split()[-1]) for line in open_still}
    assert set(fates) == {"sent", "missed"}
    assert fates["sent"] > 0


def test_a_server_that_ends_is_down_and_the_page_stays(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--clock", "lockstep") as server:
        with metrics(server.address) as url:
            assert "\ntactus_up 1\n" in page(url)
            assert server.stop() == 0
            assert page(url).endswith("\ntactus_up 0\n")


def test_a_server_that_refuses_this_client_is_up_and_the_reason_is_told_once(tmp_path):
    def token(name):
        subprocess.run([BUILD / "tactus", "token", "new", "--name", name, "--role", "observe", "--file", tmp_path / "tokens",
                        "--out", tmp_path / name], check=True, stdout=subprocess.DEVNULL)
        return tmp_path / name

    reader = token("reader")
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--clock", "lockstep", "--token-file", tmp_path / "tokens") as server:
        command = [BUILD / "tactus", "metrics", "--server", server.address, "--listen", "127.0.0.1:0"]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "NOT_AUTHENTICATED" in refused.stderr
        with open(tmp_path / "errors", "w") as errors:
            process = subprocess.Popen([*command, "--token-file", reader], stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            url = process.stdout.readline().split()[-1]
            assert 'tactus_ticks_total{session="main"} 0\n' in page(url)
            assert (tmp_path / "errors").read_text() == ""
            (tmp_path / "tokens").unlink()
            token("another")
            server.process.send_signal(signal.SIGHUP)
            while "tactus_ticks_total{" in (text := page(url)):  # until the server has read its tokens again
                assert process.poll() is None
            assert page(url) == text and text.endswith("\ntactus_up 1\n")
            [told] = (tmp_path / "errors").read_text().splitlines()
            assert told.startswith("tactus metrics: NOT_AUTHENTICATED: ")
        finally:
            process.kill()
            process.wait()


def test_other_paths_long_requests_and_silent_readers_do_not_stop_the_page(address):
    with metrics(address) as url:
        with pytest.raises(urllib.error.HTTPError) as wrong:
            page(url.replace("/metrics", "/secrets"))
        assert wrong.value.code == 404
        host, port = url.split("/")[2].split(":")
        with socket.create_connection((host, int(port))) as silent, socket.create_connection((host, int(port))) as long:
            silent.sendall(b"GET /metrics")  # and no more
            with contextlib.suppress(ConnectionError):
                long.sendall(b"GET /" + b"x" * 100_000)
            assert "tactus_up 1" in page(url)


def test_the_page_is_for_readers_on_this_host():
    for listen, words in (("0.0.0.0:9464", "loopback"), ("9464", "ADDR:PORT"), ("127.0.0.1:x", "ADDR:PORT")):
        refused = subprocess.run([BUILD / "tactus", "metrics", "--listen", listen], capture_output=True, text=True)
        assert refused.returncode == 2
        assert words in refused.stderr, listen
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = subprocess.run([BUILD / "tactus", "metrics", "--listen", listen], capture_output=True, text=True)
    assert f"cannot listen on {listen}" in refused.stderr


def test_the_server_itself_has_metrics_and_health(tmp_path):
    command = [BUILD / "tactus", "serve", "motor_four_bar", "--clock", "lockstep", "--listen", f"unix:{tmp_path}/s.sock",
               "--metrics", "127.0.0.1:0", "--recordings", tmp_path / "recordings"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        pages = next(line for line in server.stdout if line.startswith("metrics")).split()[1:]
        text = page(pages[0].rstrip(","))
        with urllib.request.urlopen(pages[1], timeout=60) as health:
            assert (health.status, health.read()) == (200, b"SERVING\n")
        server.terminate()
        server.communicate(timeout=60)
    assert server.returncode == 0
    for line in ("tactus_up 1", "tactus_sessions 1", "tactus_sessions_faulted 0", "tactus_recordings_running 0",
                 'tactus_ticks_total{session="main"} 0'):
        assert f"\n{line}\n" in text, line
    refused = subprocess.run([*command[:-4], "--metrics", "0.0.0.0:0"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "--metrics 0.0.0.0:0" in refused.stderr and "loopback" in refused.stderr


def test_the_dashboard_asks_for_families_that_exist(tmp_path):
    dashboard = json.loads((pathlib.Path(__file__).parents[3] / "docker/grafana.json").read_text())
    asked = set(re.findall(r"tactus_\w+", json.dumps([dashboard["panels"], dashboard["templating"]])))
    command = [BUILD / "tactus", "serve", "motor_four_bar", "--clock", "lockstep", "--listen", f"unix:{tmp_path}/s.sock",
               "--metrics", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        text = page(next(line for line in server.stdout if line.startswith("metrics")).split()[1].rstrip(","))
        server.terminate()
        server.communicate(timeout=60)
    # A rate over a fixed minute is empty where Prometheus reads once a minute, its default.
    panels = json.dumps(dashboard["panels"])
    assert "[$__rate_interval]" in panels and "[1m]" not in panels
    known = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
    assert len(asked) > 10
    assert {re.sub("_bucket$", "", name) for name in asked} <= known, asked - known


def test_an_address_that_needs_credentials_is_a_wrong_call_and_no_server_that_is_down():
    for command in (("metrics", "--listen", "127.0.0.1:0"), ("view", "--port", "0")):
        refused = subprocess.run([BUILD / "tactus", command[0], "--server", "10.0.0.5:50051", *command[1:]],
                                 capture_output=True, text=True, timeout=60)
        assert refused.returncode == 2
        assert "--tls-ca" in refused.stderr or "TLS" in refused.stderr
