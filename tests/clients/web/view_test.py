#!/usr/bin/python3
"""The live view drives a car in a browser: view_test.py PROGRAM VIEW_FOLDER

Starts `tactus serve` and `tactus view`, and has Chromium do what a user does (browser.mjs, bridge.mjs).
"""
# Covers: clients/cli/view.cpp, clients/cli/view.h

import contextlib
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

import meshes
from car_view import HERE, Paths, address_of, car_in_view, main, node, running, scene, server, view


def status_of(url):
    """The HTTP status of an answer."""
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def tick_at(t):
    """The tick of a time of the car, whose period is 1 ms."""
    return round(1e3 * t)


class CarDrivenInTheBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        recording, table = path / "run.mcap", path / "run.csv"
        with car_in_view("--record", recording, "--record-signals", "speed") as (process, url):
            cls.found = scene("browser.mjs", "drive", url, os.environ.get("TACTUS_PICTURES", path))
            process.terminate()
            process.wait()
        subprocess.run([Paths.program, "export", recording, "--out", table, "--signals", "speed"], check=True, capture_output=True)
        with open(table, encoding="utf-8", newline="") as file:
            cls.recorded = {tick_at(float(row["t"])): float(row["speed"]) for row in csv.DictReader(file)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_page_reports_no_error(self):
        self.assertEqual(self.found["errors"], [])

    def test_keys_drive_the_car_and_the_page_holds_the_lease(self):
        self.assertEqual(self.found["throttle"], 1)
        self.assertIn("by browser", self.found["controller"])

    def test_the_chassis_moves_on_the_canvas(self):
        before, after = self.found["moved"]
        # The camera stands still, and the car has moved by more than its length.
        self.assertGreater(math.hypot(after["x"] - before["x"], after["y"] - before["y"]), 40)
        # Where the chassis was, more than a tenth of the pixels have another color.
        self.assertGreater(self.found["differs"], 0.1)

    def test_the_plot_shows_bit_for_bit_what_the_server_recorded(self):
        plotted = self.found["plotted"]
        points = [(tick_at(t), v) for t, v in zip(plotted["t"], plotted["values"]) if v is not None]
        shared = [(t, v) for t, v in points if t in self.recorded]
        self.assertGreater(len(shared), 100)
        self.assertEqual(len(shared), len(points))
        self.assertEqual([v for _, v in shared], [self.recorded[t] for t, _ in shared])

    def test_the_plot_has_every_tick(self):
        times = [t for t, v in zip(self.found["plotted"]["t"], self.found["plotted"]["values"]) if v is not None]
        gaps = self.found["plotted"]["values"].count(None)
        ticks = [tick_at(t) for t in times]
        missing = sum(1 for a, b in zip(ticks, ticks[1:]) if b != a + 1)
        self.assertLessEqual(missing, gaps)  # each gap of the data is one in the plot

    def test_closing_the_page_leads_to_the_safe_state_which_the_next_page_leaves(self):
        self.assertIn(self.found["lost"]["pedals"], ("safe", "ramping"))
        self.assertEqual(self.found["freed"], "free")
        # The reason stands beside the mode, and goes with it.
        self.assertIn("safe state", self.found["lost"]["reason"])
        self.assertEqual(self.found["lost"]["reasonsLeft"], 0)


class OtherScenes(unittest.TestCase):
    def test_sessions_are_created_stepped_restored_and_deleted_from_the_page(self):
        with tempfile.TemporaryDirectory() as out, car_in_view() as (_, url):
            found = scene("browser.mjs", "sessions", url, os.environ.get("TACTUS_PICTURES", out))
        self.assertEqual(found["sessions"], ["main: sedan"])
        self.assertEqual(len(found["replotted"]["values"]), len(found["replotted"]["t"]))
        self.assertNotIn(None, found["replotted"]["values"])
        self.assertIn("scaled", found["standing"]["clock"])
        self.assertLess(abs(found["standing"]["speed"]), 1)  # m/s; the declared state has 20
        self.assertEqual(found["errors"], [])

    def test_a_falling_wire_of_beam_elements_moves_on_the_canvas(self):
        with tempfile.TemporaryDirectory() as out, car_in_view() as (_, url):
            found = scene("browser.mjs", "beam", url, os.environ.get("TACTUS_PICTURES", out))
        before, after = found["moved"]
        self.assertGreater(math.hypot(after["x"] - before["x"], after["y"] - before["y"]), 40)
        # The end of the wire is a rod of some pixels, where nothing was before.
        self.assertGreater(found["differs"], 0.02)
        self.assertEqual(found["errors"], [])

    def test_a_gamepad_and_sliders_drive_and_arrows_and_themes_show(self):
        # A browser that begins to draw on a loaded host was seen to send no input for 2 s.
        patient = ["--priority", "0", "--miss-limit", "20000"]
        with tempfile.TemporaryDirectory() as out, server(settings=patient) as (_, endpoint), view(address_of(endpoint)) as (_, line):
            found = scene("browser.mjs", "inputs", line.split()[1], out)
            command = [Paths.program, "get", "road_friction", "--server", address_of(endpoint)]
            set_there = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
        # A quarter of the stick to the left is a quarter of 8 rad; triggers and sliders give their value.
        self.assertEqual(found["byPad"], {"steering": 2, "throttle": 0.5})
        self.assertEqual(found["bySlider"], 0.75)
        self.assertTrue(found["parameter"].startswith("0.5"))
        self.assertRegex(set_there, r"road_friction\D+0\.5\b")
        self.assertEqual(found["tyres"], 4)
        self.assertEqual(found["kept"], ["true", "wheel_rl"])  # the camera and the body, when other signals are asked for
        self.assertRegex(found["caption"], r"1 m is \d+ N")
        # Of 255: the light background is nearly white, the dark one nearly black.
        self.assertGreater(found["light"], 180)
        self.assertLess(found["dark"], 80)
        self.assertEqual(found["errors"], [])

    def test_meshes_from_files_show_in_the_colors_of_their_files(self):
        with tempfile.TemporaryDirectory() as out:
            path = pathlib.Path(out)
            bodies = []
            # The last one keeps the rules that the server checks, and names data that it does not have.
            odd = b'{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], ' \
                  b'"meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]}'
            for k, (name, content) in enumerate((meshes.cubes() | {"odd.gltf": odd}).items()):
                (path / name).write_bytes(content)
                color = {"color": [0, 0, 1]} if name == "blue.stl" else {}
                bodies.append({"name": name.split(".")[0], "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1},
                               "position": [0, 0, 1.5 * k], "visuals": [{"mesh": {"file": name, "scale": 0.5}, **color}]})
            (path / "m.json").write_text(json.dumps({"name": "m", "gravity": [0, 0, 0], "bodies": bodies}))
            command = [Paths.program, "serve", path / "m.json", "--priority", "0", "--listen", "127.0.0.1:0"]
            with running(*command, until="endpoint") as (_, endpoint), view(address_of(endpoint)) as (_, line):
                url = line.split()[1]
                found = scene("browser.mjs", "meshes", url, out)
                # Only by the hash of its content.
                self.assertEqual(status_of(f"{url}meshes/0123456789abcdef"), 404)
                self.assertEqual(status_of(f"{url}meshes/..%2Fm.json"), 404)
        for name, strongest in (("red", 0), ("green", 1), ("blue", 2)):
            color = found["colors"][name]
            # Lit from the sky and the sun: the other two channels stay below half of it.
            self.assertEqual(color.index(max(color)), strongest, name)
            self.assertLess(sorted(color)[1], 0.5 * max(color), name)
        self.assertEqual(found["fetched"], 5)
        self.assertRegex(found["trouble"], r"^The mesh [0-9a-f]{16} cannot be shown: [^.]+\. $")
        self.assertEqual(found["errors"], [])

    def test_without_webgl_the_page_says_so_and_the_rest_works(self):
        with tempfile.TemporaryDirectory() as out, car_in_view() as (_, url):
            found = scene("browser.mjs", "blind", url, out)
        self.assertIn("no WebGL", found["note"])
        self.assertEqual(found["errors"], [])

    def test_the_page_says_that_the_server_is_gone_and_goes_on_when_it_is_back(self):
        with tempfile.TemporaryDirectory() as out:
            address = f"unix:{out}/s.sock"
            with contextlib.ExitStack() as stack:
                _, line = stack.enter_context(view(address))
                command = ["node", HERE / "browser.mjs", "restart", Paths.folder, line.split()[1], out]
                page = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                stack.callback(page.communicate)
                self.assertEqual(page.stdout.readline(), "missing\n")
                with server(listen=address):
                    print("the server is there", file=page.stdin, flush=True)
                    self.assertEqual(page.stdout.readline(), "ready\n")
                print("the server has ended", file=page.stdin, flush=True)
                self.assertEqual(page.stdout.readline(), "gone\n")
                with server(listen=address):
                    print("the server is back", file=page.stdin, flush=True)
                    found = json.loads(page.stdout.readline())
        self.assertIn("tactus serve", found["missing"])
        self.assertRegex(found["trouble"], "server is away|no server answers|server is shutting down")
        self.assertEqual(found["errors"], [])

    def test_a_stream_that_the_server_cancels_is_a_gap_and_opens_again(self):
        command = ["node", HERE / "cancelled.mjs", Paths.folder]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as page:
            with view(page.stdout.readline().strip()) as (_, line):
                found = json.loads(page.communicate(line.split()[1])[0])
        self.assertRegex(found["gap"], "^The server is away .*has ended the call")
        self.assertNotIn("ended", found)
        self.assertEqual(found["opened"], 2)


class PagesThatAskBadly(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with car_in_view() as (_, url):
            cls.found = node("bridge.mjs", Paths.folder, url)

    def test_pages_of_other_origins_are_refused(self):
        self.assertEqual(self.found["elsewhere"], "refused 403")
        self.assertEqual(self.found["nowhere"], "refused 403")

    def test_each_bad_question_gets_an_answer_in_words_and_the_connection_stays(self):
        self.assertIn("JSON", self.found["malformed"])
        self.assertIn("save a new one", self.found["snapshot"])
        self.assertIn("ReportCommTest", self.found["forbidden"])
        self.assertEqual(self.found["unknown"]["reason"], "SESSION_UNKNOWN")
        self.assertIn("no such signal", self.found["signal"])
        self.assertEqual(self.found["session"], "main")

    def test_many_questions_at_once_leave_one_drive_and_no_more_subscriptions_than_allowed(self):
        self.assertEqual(self.found["drives"], ["driven"] * 3)
        self.assertEqual(self.found["subscribed"], 8)

    def test_a_recording_that_is_not_there_is_refused_in_words(self):
        self.assertIn(self.found["missing"]["status"], (404, 502))
        self.assertIn("recording", self.found["missing"]["message"])
        self.assertEqual(self.found["outside"], 404)

    def test_a_message_that_is_too_long_ends_its_own_connection(self):
        self.assertEqual(self.found["long"], "closed 1009")

    def test_a_stalled_page_gets_nothing_more_and_then_the_newest_row(self):
        self.assertEqual(self.found["stalled"], 2)
        woken = self.found["woken"]
        self.assertGreater(woken["dropped"], 0)
        # Not older than the row that a page beside it had before: nothing was kept for the stalled page.
        self.assertGreaterEqual(woken["tick"], woken["beside"])


class ManyReaders(unittest.TestCase):
    """Eight readers of every tick of 20 signals; one sleeps, one sends nonsense, and a browser beside them is stopped."""

    SECONDS = 8  # above 4096 rows of a plot even at half the rate; tests/bench/view_crowd.py has 30
    FRESH_MS = 1000  # a loaded host may take tenths of a second for a picture; what is old is SECONDS old or more

    @classmethod
    def setUpClass(cls):
        with server() as (_, endpoint), view(address_of(endpoint)) as (bridge, line):
            cls.found = scene("crowd.mjs", "asleep", line.split()[1], "-", cls.SECONDS, bridge.pid)

    def test_readers_beside_them_miss_no_tick(self):
        for reader in self.found["others"]:
            self.assertGreater(reader["ticks"], 1000 * self.SECONDS)
            self.assertEqual((reader["gaps"], reader["dropped"]), (0, 0))

    def test_nonsense_leaves_its_own_connection_open(self):
        self.assertEqual(self.found["fool"]["closed"], 0)
        self.assertGreater(self.found["fool"]["ticks"], 1000 * self.SECONDS)

    def test_a_reader_that_wakes_gets_the_newest_row_behind_the_two_under_way(self):
        late = [row["age"] for row in self.found["sleeper"]]
        self.assertGreater(late[0], 1000 * self.SECONDS - self.FRESH_MS)  # it did sleep
        self.assertLess(max(late[2:]), self.FRESH_MS)
        self.assertGreater(self.found["sleeper_dropped"], 0)  # 4096 rows of a plot are kept

    def test_a_browser_that_wakes_shows_a_fresh_picture(self):
        self.assertGreater(self.found["stopped"], 1)
        # Neither the rows that it had nor those under way are drawn. Behind the first one, a loaded host may take long again.
        self.assertLess(self.found["seen"][0]["age"], self.FRESH_MS)
        self.assertLess(self.found["seen"][-1]["age"], self.FRESH_MS)

    def test_the_memory_of_the_bridge_is_bounded(self):
        memory = self.found["memory"]
        # MiB. Rows kept for a late reader are 8 MiB at most; the rest is what Node takes before it collects garbage.
        self.assertLess(memory["largest"] - memory["before"], 150)


class ProgramWithoutAPlaceForThePage(unittest.TestCase):
    def refused(self, *arguments):
        done = subprocess.run(list(map(str, [Paths.program, "view", *arguments])), stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_an_address_that_others_reach_needs_a_token(self):
        self.assertIn("--page-token-file", self.refused("--listen", "0.0.0.0"))
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder) / "secret"
            secret.write_text("short")
            secret.chmod(0o600)
            self.assertIn("16 characters", self.refused("--listen", "0.0.0.0", "--page-token-file", secret))

    def test_a_token_never_stands_on_the_command_line(self):
        self.assertIn("--page-token-file", self.refused("--token", "a secret of 16 characters"))

    def test_a_secret_that_others_can_read_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder) / "secret"
            secret.write_text("0123456789abcdef")
            secret.chmod(0o644)
            self.assertIn("others have access", self.refused("--page-token-file", secret))


class PagesWithAToken(unittest.TestCase):
    def test_only_a_page_with_the_token_gets_in(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder) / "secret"
            secret.write_text("0123456789abcdef\n")
            secret.chmod(0o600)
            with server() as (_, endpoint), view(address_of(endpoint), "--page-token-file", secret) as (_, line):
                url = line.split()[1]
                self.assertTrue(url.endswith("?token=0123456789abcdef"))
                bare = url.split("?")[0]
                self.assertEqual(status_of(url), 200)
                for path in ("", "?token=0123456789abcdeX", "recordings/a.mcap", "meshes/0123456789abcdef"):
                    self.assertEqual(status_of(bare + path), 401, path)
                found = node("token.mjs", Paths.folder, bare, "0123456789abcdef")
        self.assertEqual(found["right"], "open")
        for told in (found["wrong"], found["none"]):
            self.assertRegex(told, "^closed 4000 The token of this page is missing or wrong")
        # Not a browser, which would not see the status.
        self.assertEqual(found["foxglove"], ["open", "refused 401", "refused 401"])


if __name__ == "__main__":
    main()
