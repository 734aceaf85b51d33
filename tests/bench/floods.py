#!/usr/bin/python3
"""What floods cost: an honest client, the ticks, memory, a new client, and the end of the server.

    tests/bench/floods.py                                    # every flood of 60 s, three ways: 1.5 h
    tests/bench/floods.py --way haproxy --flood continuation --seconds 10

A server ticks `sedan` at 1 kHz, and an honest client drives a session of its own in lockstep, one step each ms. A span
without and a span with the flood take turns. The flood comes from a process of its own (tests/server/door/flooder.py):
in plaintext (plain), with a certificate to the server itself (tls) and through HAProxy (haproxy), and as strangers
without one (tls-stranger, haproxy-stranger). Prints a table; a value beyond the bounds that the last lines name is bold.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOODER = ROOT / "tests/server/door/flooder.py"
HAPROXY = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")
sys.path.insert(0, str(ROOT / "tests/server/door"))
import flooder  # noqa: E402

STRANGER = ["handshake", "garbage"]  # all that somebody without a certificate can send
WAYS = {"plain": list(flooder.FLOODS), "tls": list(flooder.FLOODS), "haproxy": list(flooder.FLOODS),
        "tls-stranger": STRANGER, "haproxy-stranger": STRANGER}
BOUNDS = {"p99": 10.0, "memory": 256.0, "client": 1.0, "end": 1.0, "recovery": 5.0}  # ms, MiB, s, s, s

# Run with PYTHONPATH of the Python client: steps once a ms, and for each line of input prints the times since the last.
HONEST = """
import json, os, select, sys, time, tactus
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
except PermissionError:
    pass
client = tactus.connect(sys.argv[1], timeout=30)
drive = client.create_session("motor_four_bar", clock="lockstep").tick(inputs=["motor"], outputs=["crank_angle"])
times, due = [], time.monotonic()
drive.step([0.1])
print("ready", flush=True)
while True:
    begin = time.monotonic()
    try:
        drive.step([0.1])
    except tactus.TactusError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        break
    now = time.monotonic()
    times.append(1e3 * (now - begin))
    if select.select([sys.stdin], [], [], 0)[0]:
        if not sys.stdin.readline():
            break
        times.sort()
        at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
        print(json.dumps({"steps": len(times), "p50": at(0.5), "p99": at(0.99), "max": times[-1]}), flush=True)
        times = []
    due = max(due + 1e-3, now)
    time.sleep(max(0, due - now))
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def resident_mib(process):
    try:
        with open(f"/proc/{process.pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmRSS")), 0) / 1024
    except OSError:
        return 0.0


class Bench:
    """Certificates, and a server with its front for each measurement."""

    def __init__(self, options, folder):
        self.program = options.build / "tactus"
        self.options, self.folder, self.ca = options, folder, f"{folder}/ca"
        sys.path.insert(0, str(options.build / "python"))
        issue = ["certificate", "issue", "--folder", self.ca]
        self.run("certificate", "new-ca", "--folder", self.ca)
        self.run(*issue, "--name", "server", "--host", "localhost")
        for name in ("driver", "flooder"):
            self.run(*issue, "--name", name, "--role", "control")
        pathlib.Path(self.ca, "front.pem").write_bytes(
            b"".join(pathlib.Path(self.ca, part).read_bytes() for part in ("server.crt", "server.key")))
        # HAProxy wants a list; that of a new authority is empty.
        self.run(*issue, "--name", "gone", "--role", "observe")
        self.run("certificate", "revoke", "--folder", self.ca, "--name", "gone")

    def run(self, *arguments):
        subprocess.run([self.program, *arguments], check=True, stdout=subprocess.DEVNULL)

    def files(self, name):
        return [f"{self.ca}/ca.crt", f"{self.ca}/{name}.crt", f"{self.ca}/{name}.key"]

    @contextlib.contextmanager
    def serving(self, way):
        """The processes of a way, the server first, and the address for clients."""
        processes = []
        priority = "80" if os.geteuid() == 0 else "0"
        command = [self.program, "serve", "sedan", "--priority", priority, "--report-every", "1h", "--listen"]
        if way.startswith("haproxy"):
            command += [f"unix:{self.folder}/server.sock", "--trust-peer-header", "--tls-client-ca", f"{self.ca}/ca.crt"]
        elif way.startswith("tls"):
            command += ["127.0.0.1:0", "--tls-client-ca", f"{self.ca}/ca.crt", "--tls-cert", f"{self.ca}/server.crt",
                        "--tls-key", f"{self.ca}/server.key"]
        else:
            command += ["127.0.0.1:0"]
        try:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            processes.append(server)
            address = next(line.split()[1] for line in server.stdout if line.startswith("endpoint"))
            if way.startswith("haproxy"):
                address = f"localhost:{free_port()}"
                processes.append(self.front(address.split(":")[1]))
            yield processes, address.replace("127.0.0.1", "localhost")
        finally:
            for process in processes:
                process.kill()
                process.wait()

    def front(self, port):
        source = (ROOT / "docker/haproxy.cfg").read_text()
        # It stays the user of this program, whose folder nobody else may read.
        for old, new in (("/etc/tactus", self.ca), ("/run/tactus", self.folder), ("bind :50051", f"bind 127.0.0.1:{port}"),
                         ("    user haproxy\n    group haproxy\n", "")):
            source = source.replace(old, new)
        path = pathlib.Path(self.folder, "haproxy.cfg")
        path.write_text(source)
        process = subprocess.Popen([HAPROXY, "-db", "-m", "128", "-f", path], stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(port))) == 0:
                    return process
            if process.poll() is not None:
                raise RuntimeError("HAProxy does not start; haproxy -c -f docker/haproxy.cfg says why")
            time.sleep(0.02)

    def flood(self, way, name, address, seconds):
        command = ["nice", "-n", str(self.options.nice), sys.executable, "-B", FLOODER, name, address.replace("localhost", "127.0.0.1"), "--seconds", str(seconds),
                   "--connections", str(self.options.connections if name != "idle" else 500), "--source", "127.0.0.2"]
        if way != "plain":
            command += ["--tls", *self.files("flooder")[: 1 if way.endswith("stranger") else 3]]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def connect(self, way, address):
        import tactus

        named = {} if way == "plain" else dict(zip(("tls_ca", "tls_cert", "tls_key"), self.files("driver")))
        return tactus.connect(address, timeout=10, **named)

    def new_client(self, way, address):
        """Time until a client that connects now has its first answer, s; none after 30 s."""
        import tactus

        begin = time.monotonic()
        while time.monotonic() < begin + 30:
            with contextlib.suppress(tactus.TactusError), self.connect(way, address) as client:
                client.info()
                return time.monotonic() - begin
            time.sleep(0.01)
        return None

    def missed(self, way, address):
        with self.connect(way, address) as client:
            report = client.session("main").timing()
            return report.missed_deadlines, report.ticks


def measure(bench, way, name):
    """One row: spans without and with the flood in turn, then the end of the server under the flood."""
    seconds = bench.options.seconds
    row = {"way": way, "flood": name, "quiet": [], "flooded": [], "lost": [[], []], "memory": 0.0, "client": [], "sent": {},
           "recovery": 0.0, "end": None, "died": False}
    with bench.serving(way) as (processes, address):
        environment = os.environ | {"PYTHONPATH": str(bench.options.build / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        if way != "plain":
            environment |= dict(zip(("TACTUS_TLS_CA", "TACTUS_TLS_CERT", "TACTUS_TLS_KEY"), bench.files("driver")))
        honest = subprocess.Popen([sys.executable, "-c", HONEST, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True, env=environment)
        assert honest.stdout.readline() == "ready\n"

        def mark():
            honest.stdin.write("\n")
            honest.stdin.flush()
            return json.loads(honest.stdout.readline())

        try:
            time.sleep(0.5)
            for _ in range(bench.options.rounds):
                for flooded in (False, True):
                    before = bench.missed(way, address)
                    mark()
                    attack = bench.flood(way, name, address, seconds) if flooded else None
                    end = time.monotonic() + seconds
                    asked = time.monotonic() + seconds / 3
                    while time.monotonic() < end:
                        time.sleep(0.2)
                        row["memory"] = max(row["memory"], sum(map(resident_mib, processes)))
                        if flooded and time.monotonic() > asked:
                            asked = end
                            row["client"].append(bench.new_client(way, address))
                    row["flooded" if flooded else "quiet"].append(mark())
                    if attack:
                        attack.send_signal(signal.SIGTERM)
                        row["sent"] = json.loads(attack.communicate(timeout=60)[0])
                        row["recovery"] = max(row["recovery"], bench.new_client(way, address) or 30.0)
                    after = bench.missed(way, address)
                    # Of a million ticks.
                    row["lost"][flooded].append(1e6 * (after[0] - before[0]) / max(1, after[1] - before[1]))
            attack = bench.flood(way, name, address, 60)
            time.sleep(1)
            begin = time.monotonic()
            processes[0].send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                processes[0].wait(timeout=30)
                row["end"] = time.monotonic() - begin
            attack.send_signal(signal.SIGTERM)
            attack.communicate(timeout=60)
        except Exception as error:  # the row says how far it came
            row["died"] = f"{type(error).__name__}: {error}"
        finally:
            honest.kill()
            honest.communicate()
    return row


def value(number, digits, bound=None):
    if number is None:
        return "**none**"
    text = f"{number:.{digits}f}"
    return f"**{text}**" if bound is not None and number > bound else text


def line(row):
    """A line of the table; of several rounds the worst."""
    worst = lambda spans, key: max((span.get(key, float("inf")) for span in row[spans]), default=None)
    mean = lambda values: sum(values) / len(values) if values else None
    sent = row["sent"]
    cells = [row["way"], row["flood"],
             f"{sent.get('connections', 0)}, {sent.get('bytes', 0) / 1e6:.0f} MB" if sent else "",
             f"{value(worst('quiet', 'p50'), 2)} / {value(worst('quiet', 'p99'), 2)}",
             f"{value(worst('flooded', 'p50'), 2)} / {value(worst('flooded', 'p99'), 2, BOUNDS['p99'])}",
             value(worst("flooded", "max"), 0),
             f"{value(mean(row['lost'][0]), 0)} / {value(mean(row['lost'][1]), 0)}",
             value(row["memory"], 0, BOUNDS["memory"]),
             value(max((30 if c is None else c for c in row["client"]), default=None), 2, BOUNDS["client"]),
             value(row["recovery"], 2, BOUNDS["recovery"]),
             value(row["end"], 2, BOUNDS["end"])]
    if row["died"]:
        cells[-1] = f"**{row['died']}**"
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--seconds", type=float, default=60, help="of a span")
    parser.add_argument("--rounds", type=int, default=1, help="pairs of spans")
    parser.add_argument("--connections", type=int, default=4, help="of the flood at a time; idle has 500")
    parser.add_argument("--nice", type=int, default=10, help="of the flood, which elsewhere has a computer of its own")
    parser.add_argument("--way", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--flood", nargs="+", choices=flooder.FLOODS, default=list(flooder.FLOODS))
    options = parser.parse_args()
    options.build = options.build.resolve()
    ways = [way for way in options.way if HAPROXY or not way.startswith("haproxy")]
    if ways != options.way:
        print("HAProxy is missing and left out: docker/install_packages.sh front", file=sys.stderr)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, spans of {options.seconds:.0f} s, {options.rounds} round(s)\n")
    print("| way | flood | connections, sent | honest p50 / p99 without, ms | with, ms | longest, ms | ticks lost of a million, "
          "without / with | memory, MiB | new client, s | after the flood, s | end, s |")
    print("| --- " * 11 + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for way in ways:
            for name in options.flood:
                if name in WAYS[way]:
                    print(line(measure(bench, way, name)), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end. Bounds: p99 10 ms, 256 MiB, a new client within 1 s, served again 5 s after the "
          "flood, end within 1 s.")


if __name__ == "__main__":
    main()
