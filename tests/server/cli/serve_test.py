"""`tactus serve` as a process: exit codes, signals, what it prints. Usage: serve_test.py PROGRAM"""
# Covers: server/cli/doctor.cpp, server/cli/limit_options.cpp, server/cli/option_rules.cpp, server/cli/run_until.cpp
# Covers: server/cli/serve_header.cpp, server/cli/serve_json.cpp, server/cli/shared_threads.h, server/cli/standard_output.cpp, server/cli/timing_text.cpp, server/main.cpp

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import urllib.request

PROGRAM = sys.argv.pop(1)
FAULTY = {  # finite at rest; the first step is not
    "name": "faulty",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "a", "mass": 1e-3, "inertia": {"xx": 1e-6, "yy": 1e-6, "zz": 1e-6}}],
    "actuators": [
        {"name": "push", "initial": 1e304, "body_force": {"body": "a", "direction": [1, 0, 0], "point": [0, 1e-3, 0]}}
    ],
}


class Serve(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.socket = os.path.join(self.folder.name, "tactus.sock")

    def start(self, *arguments):
        command = [PROGRAM, "serve", "--listen", f"unix:{self.socket}", "--priority", "0", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def run_to_end(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def test_the_server_ends_after_its_duration(self):
        code, out, _ = self.run_to_end("--duration", "300ms", "--report-every", "100ms")
        self.assertEqual(code, 0)
        for line in ("endpoint  unix:", "session   main: sedan", "clock     real-time, period 1ms"):
            self.assertIn(line, out)
        self.assertRegex(out, r"state hash: [0-9a-f]{16}\n")
        self.assertGreater(out.count("missed deadlines"), 1)  # reports on the way, and the last one
        self.assertFalse(os.path.exists(self.socket))

    def test_sigint_and_sigterm_end_the_server_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("--clock", "free-run", "--report-every", "50ms")
            line = ""
            while "missed deadlines" not in line:  # it runs
                line = process.stdout.readline()
                self.assertTrue(line)
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0)
            self.assertRegex(out, r"state hash: [0-9a-f]{16}\n")
            self.assertIn(number.name, err)

    def test_signals_are_handled_in_the_main_thread_alone(self):
        process = self.start("chain:n=128", "--threads", "2", "--oversubscribe", "--clock", "free-run", "--report-every", "50ms",
                             "--metrics", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--record", f"{self.folder.name}/a.mcap")
        line = ""
        while "missed deadlines" not in line:  # it runs
            line = process.stdout.readline()
            self.assertTrue(line)
        ours = sum(1 << number - 1 for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP))
        held = {}
        for task in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{task}/status", encoding="utf-8") as status:
                held[int(task)] = int(re.search(r"^SigBlk:\s*(\w+)", status.read(), re.MULTILINE)[1], 16)
        self.assertEqual(held.pop(process.pid), 0)
        self.assertGreater(len(held), 4)  # at least the ticks, their team, the recorder and gRPC
        self.assertEqual({mask & ours for mask in held.values()}, {ours}, held)
        for number in (signal.SIGHUP, signal.SIGTERM):  # both are handled, although they come at the same time
            process.send_signal(number)
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.assertIn("SIGHUP: there are no files", err)
        self.assertIn("SIGTERM", err)

    def test_sighup_of_a_server_without_files_to_read_again_is_logged_and_nothing_else(self):
        process = self.start("--clock", "free-run", "--report-every", "50ms")
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        self.assertTrue(any("SIGHUP: there are no files" in line for line in process.stderr))
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(out, r"state hash: [0-9a-f]{16}\n")

    def test_a_wrong_option_of_serve_is_a_usage_error(self):
        for arguments, word in (
            (("--listen", "0.0.0.0:0"), "--tls-client-ca or --token-file"),
            (("--udp", "0.0.0.0:0"), "--tls-cert"),
            (("--unix-mode", "0666"), "0660"),
            (("--unix-group", "nobody-is-in-it"), "no such group"),
            (("--tls-key", "/nowhere"), "give both"),
            (("--token-file", "/nowhere"), "/nowhere"),
            (("--config", "/proc"), "/proc: cannot be read"),
            (("--audit-log", "/proc/version/a.log"), "--audit-log"),
            (("--clock", "sometimes"), "lockstep"),
            (("--period", "10"), "1ms"),
            (("--cpu", "x"), "cores"),
            (("--overrun", "sometimes"), "catch-up N"),
            (("--overrun", "catch-up"), "catch-up N"),
            (("--overrun", "stop", "--overrun-max-consecutive", "3"), "tolerates no overrun"),
            (("--clock", "lockstep", "--overrun", "slip"), "no grid"),
            (("--clock", "free-run", "--priority", "5"), "starve"),
            (("four_bars",), "four_bar"),
            (("/nowhere/model.json",), "/nowhere/model.json"),
            (("--session", "a/b"), "a/b"),
            (("--share", "streams"), "KIND=N"),
            (("--share", "rooms=3"), "streams, sessions, bodies, models, links, recordings, downloads, analyses"),
            (("--share", "streams=125"), "from 0 to 124"),
            (("--share", "streams=2", "--share", "streams=3"), "streams has a share already; give one"),
            (("--audit-log", "/dev/full"), "is not a regular file; name a file"),
            (("--no-such-flag",), "--no-such-flag"),
            (("--token-file", ""), "--token-file: is empty; give a value, or leave the option out"),
            (("--audit-log", ""), "--audit-log: is empty"),
            (("--record", ""), "--record: is empty"),
            (("--record-every", "2"), "--record-every requires --record"),
            (("--record-scene",), "--record-scene requires --record"),
            (("--listen", "127.0.0.1:0", "--unix-group", "root"), "--unix-mode and --unix-group need --listen unix:PATH"),
            (("--tls-crl", "/dev/null"), "--tls-crl needs --tls-client-ca"),
            (("--threads", "0"), "--threads: 0 must be a whole number of at least 1"),
            (("--miss-limit", "-1"), "--miss-limit: -1 must be a whole number of at least 0"),
            (("--miss-limit", "99999999999999999999"), "--miss-limit: 99999999999999999999 is beyond the whole numbers of 64 bits"),
            (("--miss-limit", "08"), "--miss-limit: 08 has a leading zero"),
            (("--record-every", "0"), "--record-every: 0 must be a whole number of at least 1"),
            (("--iterations", "3", "--solver", "iterations=4"), "--iterations and --solver iterations=N exclude each other"),
            (("--solver", "iterations=3", "--solver", "iterations=4"), 'the solver setting "iterations" is given twice'),
            (("--iterations", "0"), "--iterations: 0 must be a whole number of at least 1"),
            (("--priority", "100"), "--priority: Value 100 not in range 0 to 99"),
            (("--metrics", "1.2.3.4:9464"), "--metrics 1.2.3.4:9464"),
            (("--metrics", "9464"), "ADDR:PORT"),
        ):
            with self.subTest(arguments=arguments):
                command = [PROGRAM, "serve", "--duration", "10ms", *arguments]
                if "--listen" not in arguments:
                    command += ["--listen", f"unix:{self.socket}"]
                result = subprocess.run(command, capture_output=True, text=True, timeout=120)
                self.assertEqual(result.returncode, 2)
                self.assertIn(word, result.stdout + result.stderr)

    def test_a_duration_without_a_unit_in_a_configuration_is_refused_with_one(self):
        path = os.path.join(self.folder.name, "a.toml")
        for line, example in (("period = 1", "1ms"), ("duration = 2.5", "2.5s"), ("report-every = 5ms", "5ms")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(line)
            code, _, err = self.run_to_end("--config", path)
            key, unit = line.split(" = ")[0], "" if line.endswith("ms") else " with a unit"
            self.assertEqual((code, err), (2, f'tactus serve: --config: {path}:1: {key}: must be a text in quotes{unit}, such as "{example}"\n'))

    def test_a_server_outlives_the_readers_of_its_output(self):
        process = self.start("--report-every", "20ms", "--metrics", "127.0.0.1:0")
        pages = ""
        while not pages.startswith("metrics"):
            pages = process.stdout.readline()
        process.stdout.close()
        process.stderr.close()
        # Between two of ten pages at least 50 ticks of 1 ms are made, so that reports are due.
        ticks, url = -1, re.search(r"http://\S+/metrics", pages)[0]
        for _ in range(10):
            before = ticks
            while ticks <= before + 50:
                with urllib.request.urlopen(url, timeout=60) as page:
                    ticks = int(re.search(r"^tactus_ticks_total\{[^}]*\} (\d+)", page.read().decode(), re.MULTILINE)[1])
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=120), 0)

    def test_a_server_whose_output_nobody_reads_goes_on_and_ends_in_order(self):
        status, log = self.end_unread(lambda process: process.send_signal(signal.SIGTERM))
        self.assertEqual(status, 0)
        self.assertIn("the report of the end is left out: nobody reads the standard output", log)

    def test_further_signals_do_not_end_the_wait_for_a_reader(self):
        def send_until_the_end(process):
            end = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < end:
                process.send_signal(signal.SIGTERM)
                time.sleep(0.05)

        status, log = self.end_unread(send_until_the_end)
        # A signal after the last line of the log may come when the program does not handle signals any more.
        self.assertIn(status, (0, -signal.SIGTERM))
        self.assertIn("the report of the end is left out: nobody reads the standard output", log)

    def end_unread(self, end):
        """Starts a server whose output nobody reads, and calls `end` with the process: the exit status and the log."""
        reading, writing = os.pipe()
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        process = subprocess.Popen([PROGRAM, "serve", "motor_four_bar", "--listen", "127.0.0.1:0", "--priority", "0", "--report-every", "20ms"],
                                   stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        try:
            # The lines of the start fill the only page of the pipe.
            while int.from_bytes(fcntl.ioctl(reading, termios.FIONREAD, bytes(4)), sys.byteorder) == 0:
                time.sleep(0.02)
            time.sleep(0.2)  # time for ten reports
            process.send_signal(signal.SIGHUP)
            line = ""
            while "SIGHUP" not in line:
                line = process.stderr.readline()
                self.assertNotEqual(line, "")
            end(process)
            log = process.stderr.read()
            return process.wait(timeout=120), log
        finally:
            process.kill()
            process.wait()
            process.stderr.close()
            os.close(reading)

    def test_a_server_whose_session_a_client_deletes_ends_in_order(self):
        process = self.start("--json")
        self.assertIn("started", process.stdout.readline())
        deleted = subprocess.run([PROGRAM, "session", "delete", "main", "--server", f"unix:{self.socket}"],
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual(deleted.returncode, 0, deleted.stderr)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        self.assertNotIn("deleted", err)
        self.assertEqual(json.loads(out.splitlines()[-1])["event"], "ended")

    def test_silent_readers_of_the_metrics_do_not_delay_the_end(self):
        process = self.start("--metrics", "127.0.0.1:0", "--paused")
        line = ""
        while not line.startswith("metrics"):
            line = process.stdout.readline()
        port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
        silent = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(40)]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as page:
            self.assertEqual(page.read(), b"SERVING\n")
        silent[-1].setblocking(False)
        with self.assertRaises(BlockingIOError):  # still connected: the page did not come after its time
            silent[-1].recv(1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        for each in silent:
            each.close()

    def test_a_socket_in_use_is_left_to_its_server(self):
        first = self.start("--clock", "lockstep")
        while "clock" not in first.stdout.readline():
            self.assertIsNone(first.poll())
        code, _, err = self.run_to_end("--duration", "10ms")
        self.assertEqual(code, 2)
        self.assertIn("another server", err)
        self.assertIsNone(first.poll())
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0)

    def test_a_port_in_use_gives_one_clear_line(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            command = [PROGRAM, "serve", "--listen", address, "--priority", "0", "--duration", "10ms"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(f"cannot listen on {address}: another program listens there", result.stderr)

    def test_a_server_starts_from_an_initial_condition_and_may_wait_for_its_start(self):
        code, out, _ = self.run_to_end("--initial", "standing", "--paused", "--duration", "200ms")
        self.assertEqual(code, 0)
        self.assertIn("not started (tactus session start)", out)
        paused = re.search(r"state hash: (\w+)", out)[1]
        _, moving, _ = self.run_to_end("--paused", "--duration", "200ms")
        self.assertNotEqual(paused, re.search(r"state hash: (\w+)", moving)[1])
        code, _, err = self.run_to_end("--initial", "flying")
        self.assertEqual(code, 2)
        self.assertIn("flying", err)

    def test_every_command_counts_the_same_bodies_and_joints(self):
        texts = [self.run_to_end("--duration", "50ms")[1]]
        for command in (("model", "check", "sedan"), ("run", "sedan", "--until", "2ms")):
            texts.append(subprocess.run([PROGRAM, *command], capture_output=True, text=True, timeout=120).stdout)
        counts = {re.search(r"(\d+) bodies, (\d+) joints", text).groups() for text in texts}
        self.assertEqual(len(counts), 1, counts)

    def test_threads_that_share_a_step_sleep_between_ticks(self):
        """A thread of a real-time class that spins would starve its core."""
        process = self.start("chain:n=512", "--threads", "2", "--oversubscribe", "--period", "50ms", "--duration", "3s")
        line = ""
        while not line.startswith("clock"):
            line = process.stdout.readline()
            self.assertTrue(line)
        with open(f"/proc/{process.pid}/environ", "rb") as environment:
            self.assertIn(b"OMP_WAIT_POLICY=passive", environment.read().split(b"\0"))
        self.assertEqual(os.readlink(f"/proc/{process.pid}/exe"), os.path.realpath(PROGRAM))
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)

    def test_the_header_says_how_many_threads_share_a_step(self):
        for model, shown, shares in (("chain:n=512", "threads   2\n", 2),
                                     ("four_bar", "threads   1 of 2: the steps of this model have no work for more\n", 1)):
            command = (model, "--threads", "2", "--oversubscribe", "--duration", "100ms")
            self.assertIn(shown, self.run_to_end(*command)[1])
            started = json.loads(self.run_to_end(*command, "--json")[1].splitlines()[0])
            self.assertEqual(started["threads"], shares)
        self.assertNotIn("\nthreads ", self.run_to_end("four_bar", "--duration", "100ms")[1])

    def test_require_rt_has_its_exit_code_if_a_request_is_not_granted(self):
        code, out, err = self.run_to_end("--require-rt", "--cpu", "1023", "--duration", "10s")
        self.assertEqual(code, 5)
        self.assertIn("not granted", out)
        self.assertIn("--require-rt", err)

    def test_a_fault_has_its_exit_code(self):
        model = os.path.join(self.folder.name, "faulty.json")
        with open(model, "w", encoding="utf-8") as file:
            json.dump(FAULTY, file)
        code, out, err = self.run_to_end(model, "--duration", "100ms")
        self.assertEqual(code, 4, err)
        self.assertIn("faulted at tick 0", out)
        self.assertIn("last good state", err)

    def test_a_stop_by_the_overrun_policy_has_its_exit_code(self):
        code, out, err = self.run_to_end("chain:n=512", "--period", "10us", "--overrun", "stop", "--duration", "100ms")
        self.assertEqual(code, 4, err)
        self.assertIn("overrun policy stop", out)
        self.assertIn("is stopped", err)
        self.assertIn("the state is good", err)

    def test_a_solver_setting_out_of_range_is_refused_with_its_rule(self):
        code, _, err = self.run_to_end("--solver", "velocity_passes=11", "--duration", "100ms")
        self.assertEqual(code, 2, err)
        self.assertIn("velocity_passes: 11 must be a whole number from 1 to 10", err)
        settings = ("--solver", "full_newton=true", "--solver", "velocity_passes=3")
        code, _, err = self.run_to_end("four_bar", *settings, "--duration", "100ms")
        self.assertEqual(code, 0, err)

    def test_json_is_one_object_a_line_from_the_start_to_the_final_report_and_hash(self):
        code, out, err = self.run_to_end("motor_four_bar", "--duration", "300ms", "--report-every", "100ms", "--json")
        self.assertEqual(code, 0, err)
        lines = [json.loads(line) for line in out.splitlines()]
        started, *timings, ended = lines
        self.assertEqual(started["event"], "started")
        self.assertEqual((started["model"], started["session"]), ("motor_four_bar", "main"))
        self.assertTrue(started["endpoint"].startswith("unix:"))
        self.assertGreater(len(timings), 0)
        self.assertEqual({line["event"] for line in timings}, {"timing"})
        self.assertEqual(ended["event"], "ended")
        self.assertRegex(ended["state_hash"], r"^[0-9a-f]{16}$")
        self.assertEqual(ended["timing"]["ticks"], ended["tick"])
        self.assertIn("duration", ended["why"])
        for line in (started, ended, ended["timing"]):
            self.assertIn("tactus ", line["build"])
        plain = self.run_to_end("motor_four_bar", "--paused", "--duration", "50ms")[1]
        paused = json.loads(self.run_to_end("motor_four_bar", "--paused", "--duration", "50ms", "--json")[1].splitlines()[-1])
        self.assertIn(f"state hash: {paused['state_hash']}\n", plain)

    def test_json_names_the_fault_and_keeps_the_exit_code(self):
        model = os.path.join(self.folder.name, "faulty.json")
        with open(model, "w", encoding="utf-8") as file:
            json.dump(FAULTY, file)
        code, out, err = self.run_to_end(model, "--duration", "100ms", "--json")
        self.assertEqual(code, 4, err)
        ended = json.loads(out.splitlines()[-1])
        self.assertEqual((ended["event"], ended["state"]), ("ended", "faulted"))
        self.assertTrue(ended["fault"])

    def test_the_doctor_grades_the_host(self):
        command = [PROGRAM, "doctor", "--duration", "100ms", "--priority", "0", "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, 1 if report["grade"] == "poor" else 0)
        self.assertIn("tactus ", report["build"])
        points = {finding["what"]: finding for finding in report["host"]}
        for what in ("kernel", "cores", "governor", "clock source", "real-time class", "memory lock", "CPU quota"):
            self.assertIn(points[what]["grade"], ("good", "fair", "poor"))
            self.assertTrue(points[what]["found"] and points[what]["wanted"])
        self.assertGreaterEqual(report["self_test"]["ticks"] + report["self_test"]["missed"], 100)
        for arguments in (("--period", "3"), ("--cpu", "x"), ("--priority", "100")):
            result = subprocess.run([PROGRAM, "doctor", *arguments], capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, 2, arguments)
        # What the self-test alone would do is refused without it.
        for arguments in (("--require-rt",), ("--priority", "5"), ("--cpu", "0"), ("--period", "2ms")):
            result = subprocess.run([PROGRAM, "doctor", "--no-test", *arguments], capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn("--no-test", result.stderr)

    def test_a_server_tests_its_machine_at_the_period_of_its_ticks(self):
        for clock, period, deadlines in (("real-time", "10ms", 30), ("scaled:0.5", "20ms", 15), ("lockstep", "10ms", 30)):
            code, _, err = self.run_to_end("rotating_beam", "--clock", clock, "--self-test", "300ms", "--duration", "10ms")
            self.assertEqual(code, 0, err)
            line = re.search(r"self-test with a period of (\w+): .* of (\d+) deadlines missed", err)
            self.assertEqual(line[1], period)
            # A tick that is late at the end counts all deadlines until it starts: ten times as many is a stall of seconds.
            self.assertGreaterEqual(int(line[2]), deadlines)
            self.assertLess(int(line[2]), 10 * deadlines)

    def test_the_version_names_commit_compiler_and_flags(self):
        result = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0)
        for word in ("tactus ", "commit: ", "compiler: ", "flags: ", "instruction set: "):
            self.assertTrue(re.search(rf"^{word}\S", result.stdout, re.MULTILINE), word)


if __name__ == "__main__":
    unittest.main()
