"""The requirements in milliseconds or seconds: what is run, what is read from it, and the bound."""

import csv
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Callable

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Skipped(Exception):
    """The machine does not have what a measurement needs."""


@dataclass
class Requirement:
    """What is measured by `measure(build)`, and its bound: a maximum, or a minimum where `at_least` is true."""

    name: str
    what: str
    bound: float
    unit: str
    measure: Callable[[pathlib.Path], float]
    at_least: bool = False


def run(command, **options):
    """The standard output of a command that must succeed."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with status {result.returncode}\n{result.stderr}")
    return result.stdout


def medians(command, **options):
    """Of each series of a benchmark of latencies: its name and its median, µs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "table.csv")
        run([*command, "--csv", path], **options)
        rows = list(csv.DictReader(path.read_text().splitlines()))
    return {row["series"]: float(row["p50_us"]) for row in rows}


# ---- Steps ----


def p50(series, start):
    return next(value for name, value in series.items() if name.startswith(start))


def step(build, model, *options):
    """Median of a step, µs, of the quietest of some rounds."""
    command = [build / "tests/bench/step_benchmark", model, "--rounds", "10", "--steps", "200", *options]
    return p50(medians(command), model)


def chain_step(links):
    return lambda build: step(build, f"chain:n={links}", "--iterations", "3", "--period", "10")


def vehicle_step(model):
    return lambda build: step(build, model, "--iterations", "2", "--period", "1")


# Of 128 links with 3 iterations, µs, on the machine of the table in tests/README.md: what turns a bound in µs into a ratio.
LINKS_128 = 7.86


def over_links(model, without=None):
    """Ratio of a step of a model, or of what it takes beyond another model, to that of 128 links in the same run."""

    def measure(build):
        names = ["chain:n=128", model] + ([without] if without else [])
        series = medians([build / "tests/bench/step_benchmark", *names, "--iterations", "2,3", "--period", "1", "--rounds", "10",
                          "--steps", "200"])

        def of(name, iterations):
            return next(value for key, value in series.items() if key.startswith(f"{name} (") and f" {iterations} it" in key)

        return (of(model, 2) - (of(without, 2) if without else 0)) / of("chain:n=128", 3)

    return measure


def against_literal(build):
    series = medians([build / "tests/bench/step_benchmark", "chain:n=128", "--literal", "128", "--iterations", "3", "--period",
                   "10", "--rounds", "10", "--steps", "100"])
    return p50(series, "literal") / p50(series, "chain:n=128")


def two_threads(model, *options):
    def measure(build):
        load = os.getloadavg()[0]
        if len(os.sched_getaffinity(0)) < 2 or load > len(os.sched_getaffinity(0)) - 1:
            raise Skipped(f"two free cores are needed, and the load is {load:.1f}")
        # On free cores a team that spins is the quicker one.
        environment = os.environ | {"OMP_WAIT_POLICY": "active"}
        series = medians([build / "tests/bench/step_benchmark", model, *options, "--threads", "1,2", "--rounds", "10",
                          "--steps", "100"], env=environment)
        one, two = series.values()
        return one / two

    return measure


def case(name):
    return SOURCE / f"tests/bench/cases/{name}.json"


def third_order(step_ms):
    def measure(build):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "table.csv")
            run([build / "tests/bench/work_precision", "--rounds", "10", "--csv", path])
            table = list(csv.DictReader(path.read_text().splitlines()))
        return next(float(row["cpu_ms"]) for row in table
                    if row["method"] == "third order, 1 iteration" and float(row["step_ms"]) == step_ms)

    return measure


def cpu_ms(command):
    """CPU time of a process, ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def set_up(build):
    """What a program spends on 1024 links beyond what it spends on 8, ms; a step of both is in it."""
    command = [build / "tactus", "run", "--step", "10ms", "--until", "10ms"]
    return min(cpu_ms([*command, "chain:n=1024"]) for _ in range(3)) - min(cpu_ms([*command, "chain:n=8"]) for _ in range(3))


# ---- Offline methods ----


def import_urdf(build):
    """Wall time of `tactus model import` on 10 000 lines of URDF: 900 links on joints with limits, in a tree of pairs."""
    text = '<robot name="r">\n<link name="l0"/>\n'
    for i in range(1, 901):
        text += (f'<link name="l{i}">\n<inertial>\n<origin xyz="0 0 0.1"/>\n<mass value="1"/>\n'
                 f'<inertia ixx="1" iyy="1" izz="1"/>\n</inertial>\n</link>\n<joint name="j{i}" type="revolute">\n'
                 f'<parent link="l{(i - 1) // 2}"/><child link="l{i}"/>\n<axis xyz="0 1 0"/>\n'
                 f'<limit lower="-1" upper="1" effort="9" velocity="1"/></joint>\n')
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "long.urdf")
        file.write_text(text + "</robot>\n")
        start = time.monotonic()
        out, report = pathlib.Path(folder, "model.json"), pathlib.Path(folder, "report.json")
        run([build / "tactus", "model", "import", file, "--out", out, "--report", report])
        return time.monotonic() - start


def paper(table, choose):
    def measure(build):
        text = run([build / "tests/bench/paper_experiments", *table])
        found = [row for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")) if choose(row)]
        return float(found[-1]["cpu_s"])

    return measure


def of_double_four_bar(method):
    return paper(["tan", "tables_3_4"], lambda row: row["mechanism"] == "double_four_bar" and row["method"] == method
                 and row["step_s"] == "0.01")


# ---- Service ----


def stream_over_echo(build):
    found = medians([build / "tests/bench/tick_round_trip", "--rounds", "3", "--paced", "300", "--back-to-back", "1000"])
    return worst_ratio(found)


def datagram_over_echo(build):
    found = medians([build / "tests/bench/udp_round_trip", SOURCE / "tests/bench/puck.json", "--signals", "body.r.*",
                     "energy.total", "--rounds", "3", "--paced", "300", "--back-to-back", "1000"])
    return worst_ratio({name: value for name, value in found.items() if "back to back" in name})


def over_plaintext(lane):
    """Ratio of the medians of a way through the door to plaintext, the worse of both paces, in one run."""

    def measure(build):
        found = medians([build / "tests/bench/door_round_trip", "--rounds", "3", "--paced", "300", "--back-to-back", "1000"])
        ratios = [value / found[name.replace(lane, "plaintext")] for name, value in found.items() if name.startswith(lane)]
        if not ratios:
            raise Skipped(f"no {lane} on this machine")
        return max(ratios)

    return measure


def worst_ratio(found):
    """The largest ratio of a series to the fastest bare one of the same transport and pace, with which its name begins and
    ends."""

    def conditions(name):
        return name.split(":")[0] if ":" in name.split(",")[0] else "", name.rsplit(", ", 1)[-1]

    bare = {}
    for name, value in found.items():
        if "bare" in name:
            bare[conditions(name)] = min(value, bare.get(conditions(name), value))
    return max(value / bare[conditions(name)] for name, value in found.items() if "bare" not in name)


def publish_motion(build):
    found = medians([build / "tests/bench/publish_benchmark", "hmmwv", "--samples", "4000"])
    return next(value for name, value in found.items() if name.endswith("motion: both"))


def serve(build, *arguments, priority=0):
    """A running server of the default period, with its address."""
    folder = tempfile.mkdtemp()
    address = f"unix:{folder}/timed.sock"
    process = subprocess.Popen([build / "tactus", "serve", "--listen", address, "--priority", str(priority), *arguments],
                               stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("endpoint"):
            return process, address
    raise RuntimeError(f"tactus serve ended with status {process.wait()}")


def exit_after_signal(build):
    return time_to_end(serve(build, "motor_four_bar")[0])


LINKS = """
import sys, grpc
from tactus.v1 import simulation_pb2, simulation_pb2_grpc
with grpc.insecure_channel(sys.argv[1]) as channel:
    for _ in range(64):
        simulation_pb2_grpc.SimulationStub(channel).OpenDeviceLink(
            simulation_pb2.OpenDeviceLinkRequest(session="main", outputs=["crank_angle"]))
"""


def exit_with_links(build):
    process, address = serve(build, "motor_four_bar", "--udp", "127.0.0.1:0")
    run([sys.executable, "-B", "-c", LINKS, address], env=os.environ | {"PYTHONPATH": str(build / "python")})
    return time_to_end(process)


def time_to_end(process):
    begin = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    if process.returncode != 0:
        raise RuntimeError(f"exit status {process.returncode}")
    return 1e3 * (time.monotonic() - begin)


# Ten calls in each 100 ms for 12 s: the worst of each 1.2 s, and the median of these, ms.
PACED_CALLS = """
import statistics, sys, time, tactus
worst = [0.0] * 10
with tactus.connect(sys.argv[1]) as client:
    client.info()
    begin = time.monotonic()
    for k in range(1200):
        time.sleep(max(0.0, begin + 0.01 * k - time.monotonic()))
        sent = time.monotonic()
        client.info()
        worst[k // 120] = max(worst[k // 120], time.monotonic() - sent)
print(1e3 * statistics.median(worst))
"""


def paced_calls(build):
    process, address = serve(build, "motor_four_bar", "--paused")
    try:
        return float(run([sys.executable, "-B", "-c", PACED_CALLS, address],
                         env=os.environ | {"PYTHONPATH": str(build / "python")}))
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


class Paced:
    """A server whose session "main" ticks at 1 kHz in a real-time class, and its counters."""

    def __init__(self, build, model, *arguments):
        if os.geteuid() != 0:
            raise Skipped("the right to a real-time class is needed")
        self.build = build
        self.process, self.address = serve(build, model, "--report-every", "1h", *arguments, priority=80)
        # Until the caches are warm.
        self.wait_ticks(1000)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)

    def tactus(self, *arguments):
        return run([self.build / "tactus", *arguments, "--server", self.address])

    def report(self):
        return json.loads(self.tactus("timing", "--session", "main", "--json"))

    def wait_ticks(self, ticks):
        """The reports before and after so many ticks."""
        first = last = self.report()
        while last["ticks"] < first["ticks"] + ticks:
            time.sleep(0.1)
            last = self.report()
        return first, last

    def lost(self, ticks):
        """Deadlines that the session misses during so many ticks."""
        first, last = self.wait_ticks(ticks)
        return last["missed_deadlines"] - first["missed_deadlines"]


def lost_to_observers(build):
    with Paced(build, "sedan") as paced:
        quiet = paced.lost(5000)
        watchers = [subprocess.Popen([build / "tests/clients/cli/watcher", paced.address, "main"], stdout=subprocess.PIPE)
                    for _ in range(16)]
        for watcher in watchers:
            watcher.stdout.readline()
        observed = paced.lost(5000)
        for watcher in watchers:
            watcher.kill()
            watcher.communicate()
        return max(0, observed - quiet)


# A session whose second step is not finite, of a model of its own, and a link that strangers flood with datagrams.
TROUBLE = """
import json, socket, sys, tactus
puck = {"name": "faulty", "gravity": [0, 0, 0],
        "bodies": [{"name": "a", "mass": 1e-3, "inertia": {"xx": 1e-6, "yy": 1e-6, "zz": 1e-6}}],
        "actuators": [{"name": "push", "initial": 1e304,
                       "body_force": {"body": "a", "direction": [1, 0, 0], "point": [0, 1e-3, 0]}}]}
with tactus.connect(sys.argv[1]) as client:
    client.load_model(puck)
    session = client.create_session("faulty", name="faulty", period="1ms")
    session.start()
    while session.state != "FAULTED":
        pass
    session.delete()
    host, port = sys.argv[2].rsplit(":", 1)
    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for number in range(20_000):
        stranger.sendto(number.to_bytes(80, "little"), (host, int(port)))
"""


def lost_to_neighbor(build):
    """Beside the session another one is created, driven, read, loses its killed clients, is flooded by strangers, is reset
    and deleted, and a third one faults, six times."""
    with Paced(build, "sedan", "--udp", "127.0.0.1:0") as paced:
        quiet = paced.lost(3000)
        before = paced.report()
        for _ in range(6):
            paced.tactus("session", "create", "motor_four_bar", "--name", "neighbor", "--start")
            clients = [subprocess.Popen([build / "tests/clients/cli/watcher", paced.address, "neighbor"],
                                        stdout=subprocess.PIPE) for _ in range(4)]
            for client in clients:
                client.stdout.readline()
                client.kill()
                client.communicate()
            with tempfile.TemporaryDirectory() as folder:
                opened = json.loads(paced.tactus("link", "open", "--session", "neighbor", "--inputs", "motor", "--json",
                                                 "--out", f"{folder}/link.txt"))
            run([sys.executable, "-B", "-c", TROUBLE, paced.address, opened["links"][0]["address"]],
                env=os.environ | {"PYTHONPATH": str(build / "python")})
            paced.tactus("safe", "--session", "neighbor")
            paced.tactus("session", "reset", "neighbor")
            paced.tactus("session", "delete", "neighbor")
        paced.wait_ticks(max(0, 3000 - (paced.report()["ticks"] - before["ticks"])))
        after = paced.report()
        disturbed = (after["missed_deadlines"] - before["missed_deadlines"]) * 3000 / (after["ticks"] - before["ticks"])
        return max(0, disturbed - quiet)


def page_faults(build):
    with Paced(build, "sedan") as paced:
        first, last = paced.wait_ticks(60_000)
        return last["page_faults"] - first["page_faults"]


def pytest_line(build, file, variables, pattern):
    """A number that a test of the clients prints."""
    environment = os.environ | {"PYTHONPATH": str(build / "python"), "TACTUS_BUILD_DIR": str(build)} | variables
    text = run([sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-c", SOURCE / "tests/clients/pytest.ini",
                "-s", "-q", SOURCE / file], env=environment)
    return float(re.search(pattern, text)[1])


def noticed_kill(build):
    return pytest_line(build, "tests/clients/cli/kills_test.py", {"TACTUS_CLIENT_KILLS": "20"}, r"ms, ([\d.]+) ms at most")


def lost_at_kill(build):
    return pytest_line(build, "tests/clients/cli/recordings_test.py", {"TACTUS_KILLS": "10"}, r"at most (\d+) ticks of 1 ms")


def beside_cyclictest(*options):
    def measure(build):
        if not shutil.which("cyclictest"):
            raise Skipped("cyclictest is not installed (group bench of docker/packages.txt)")
        if os.geteuid() != 0:
            raise Skipped("the right to a real-time class is needed")
        found = json.loads(run([sys.executable, SOURCE / "tests/bench/beside_cyclictest.py", "--build", build, "--seconds", "10",
                                "--json", *options]))["rows"]
        return found["start of a tick"]["p99.9"] / found["cyclictest, same core, one priority below"]["p99.9"]

    return measure


REQUIREMENTS = [
    Requirement("literal", "step of 128 links against the algorithm as printed", 20, "x", against_literal, at_least=True),
    Requirement("chain_8", "step of 8 links, 3 iterations", 1.5, "µs", chain_step(8)),
    Requirement("chain_128", "step of 128 links, 3 iterations", 12, "µs", chain_step(128)),
    Requirement("chain_1024", "step of 1024 links, 3 iterations: 100 ns a body", 100, "µs", chain_step(1024)),
    Requirement("two_threads", "two free cores on 1024 links", 1.5, "x",
                two_threads("chain:n=1024", "--iterations", "3"), at_least=True),
    Requirement("two_threads_ladder", "two free cores on a ladder of 50 four-bars", 1.6, "x",
                two_threads(case("ladder50"), "--iterations", "2", "--period", "1"), at_least=True),
    Requirement("two_threads_tree", "two free cores on a tree of 1000 revolutes", 1.6, "x",
                two_threads(case("tree1000"), "--iterations", "2", "--period", "1"), at_least=True),
    Requirement("two_threads_pendulums", "two free cores on 100 triple pendulums", 1.6, "x",
                two_threads(case("small100"), "--iterations", "2", "--period", "1"), at_least=True),
    Requirement("four_bar", "step of the four-bar, 3 iterations", 5, "µs",
                lambda build: step(build, "four_bar", "--iterations", "3", "--period", "10")),
    Requirement("hmmwv", "step of the off-road vehicle, 2 iterations", 30, "µs", vehicle_step("hmmwv")),
    Requirement("sedan", "step of the car, 2 iterations", 35, "µs", vehicle_step("sedan")),
    Requirement("beam_chain", "step of 64 beam elements, 2 iterations, over 128 links: 60 µs", round(60 / LINKS_128, 2), "x",
                over_links("beam_chain:n=64")),
    Requirement("flexible_four_bar", "step of the flexible four-bar, 2 iterations, over 128 links: 30 µs",
                round(30 / LINKS_128, 2), "x", over_links("flexible_four_bar")),
    Requirement("modal_chassis", "what a modal chassis adds to a step of the car, over 128 links: 5 µs",
                round(5 / LINKS_128, 2), "x", over_links("sedan_flexible", without="sedan")),
    Requirement("third_order_10ms", "a second of 8 links by third-order steps of 10 ms", 0.45, "ms", third_order(10)),
    Requirement("third_order_5ms", "a second of 8 links by third-order steps of 5 ms", 0.85, "ms", third_order(5)),
    Requirement("set_up", "set-up of 1024 links", 50, "ms", set_up),
    Requirement("import", "import of 10 000 lines of URDF, with its report", 1, "s", import_urdf),
    Requirement("ali3p_four_bars", "10 s of the double four-bar by ali3p", 0.03, "s", of_double_four_bar("ali3p")),
    Requirement("newmark_four_bars", "10 s of the double four-bar by newmark-tangent", 0.3, "s",
                of_double_four_bar("newmark-tangent")),
    Requirement("rn4_vehicle", "4 s of the stiff vehicle by rn4 at 1e-3", 1, "s",
                paper(["rn", "table_4"], lambda row: row["tolerance"] == "1e-3" and row["end_s"] == "4")),
    Requirement("stream", "round trip of the Tick stream over a bare gRPC echo, worst of eight", 1.5, "x", stream_over_echo),
    Requirement("tls", "round trip with mutual TLS over plaintext", 1.6, "x", over_plaintext("mutual TLS in process")),
    Requirement("haproxy", "round trip through HAProxy over plaintext", 3, "x", over_plaintext("HAProxy")),
    Requirement("datagram", "input and tick over UDP over a bare echo, back to back", 1.3, "x", datagram_over_echo),
    Requirement("publish", "publishing and serializing the motion of 14 bodies", 2, "µs", publish_motion),
    Requirement("exit", "end of the server after SIGTERM", 1000, "ms", exit_after_signal),
    Requirement("exit_links", "the same with 64 links to devices", 500, "ms", exit_with_links),
    Requirement("paced_calls", "worst call in 1.2 s of a server without streams, median of ten", 50, "ms", paced_calls),
    Requirement("kill_noticed", "a killed client is noticed, worst of 20", 100, "ms", noticed_kill),
    Requirement("kill_lost", "lost of a recording at a kill, worst of 10", 100, "ms", lost_at_kill),
    Requirement("observers", "ticks that 5000 lose to sixteen observers, beyond those without", 1, "ticks", lost_to_observers),
    Requirement("neighbor", "ticks that 3000 lose to faults of another session, beyond those without", 1, "ticks",
                lost_to_neighbor),
    Requirement("page_faults", "page faults of the tick thread in 60 s", 0, "faults", page_faults),
    Requirement("punctual_1kHz", "p99.9 of a tick's start over cyclictest on its core, 1 kHz", 1, "x", beside_cyclictest()),
    Requirement("punctual_4kHz", "the same with a small model at 4 kHz", 1, "x",
                beside_cyclictest("--period", "250us", "--model", str(SOURCE / "tests/bench/puck.json"))),
]
