#!/usr/bin/python3
"""The session that the page shows, who drives it, and what the page refuses: shown_test.py PROGRAM VIEW_FOLDER"""

import json
import pathlib
import struct
import subprocess
import tempfile
import unittest

from car_view import HERE, Paths, address_of, car_in_view, main, scene, server, view


def shown(name, url):
    return scene("shown.mjs", name, url, "-")


class OneSession(unittest.TestCase):
    def test_a_key_that_comes_up_is_up_wherever_the_page_has_its_focus(self):
        with car_in_view() as (_, url):
            found = shown("keys", url)
        self.assertEqual((found["released"], found["again"]), ("0", "0"))
        self.assertEqual(found["errors"], [])

    def test_a_second_page_may_take_the_inputs_over(self):
        with car_in_view() as (_, url):
            found = shown("takeover", url)
        self.assertIn("already drives", found["held"])
        self.assertIn("my turn", found["lost"])
        self.assertEqual(found["errors"], [])

    def test_numbers_that_are_none_are_refused_in_words_and_a_snapshot_belongs_to_its_session(self):
        with car_in_view() as (_, url):
            found = shown("numbers", url)
        for message, value in zip(found["said"], ("0,5", "-5", "", "0", "")):
            self.assertIn(f'and not "{value}"', message)
        self.assertEqual(len(found["said"]), 5)
        self.assertEqual(found["sessions"], ["main: sedan"])
        self.assertEqual(found["restore"], [False, True])
        self.assertEqual(found["errors"], [])

    def test_an_order_that_is_refused_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens, token = pathlib.Path(folder, "tokens"), pathlib.Path(folder, "token")
            command = [Paths.program, "token", "new", "--file", tokens, "--role", "observe", "--name", "look"]
            made = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
            token.write_text(made.stdout)
            token.chmod(0o600)
            with server("--token-file", tokens) as (_, endpoint):
                with view(address_of(endpoint), "--token-file", token) as (_, line):
                    found = shown("refused", line.split()[1])
        self.assertIn("observe", found["trouble"])

    def test_a_page_too_many_shows_why(self):
        with car_in_view() as (_, url):
            found = shown("full", url)
        self.assertIn("Close another page", found["trouble"])


class OneAfterTheOther(unittest.TestCase):
    def test_a_session_that_takes_the_name_of_the_shown_one_is_shown(self):
        with server(model="motor_four_bar") as (_, endpoint), view(address_of(endpoint)) as (_, line):
            found = shown("replaced", line.split()[1])
        first, second, third = found["seen"]
        self.assertEqual(second, ["link_1", "link_2", "link_3"])
        self.assertEqual(third, first)
        self.assertIn("crank_angle", found["signals"])
        self.assertEqual(found["errors"], [])

    def test_a_server_that_comes_back_with_another_model_is_shown_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            address = f"unix:{folder}/s.sock"
            with view(address) as (_, line):
                command = ["node", HERE / "shown.mjs", "restarted", Paths.folder, line.split()[1], "-"]
                with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as page:
                    with server(listen=address, model="motor_four_bar"):
                        self.assertEqual(page.stdout.readline(), "ready\n")
                    with server(listen=address, model="chain:n=3"):
                        print("it is back", file=page.stdin, flush=True)
                        found = json.loads(page.stdout.readline())
        self.assertNotEqual(found["before"], found["after"])
        self.assertEqual(found["after"], ["link_1", "link_2", "link_3"])
        self.assertIn("link_3.r.x", found["signals"])
        self.assertEqual(found["errors"], [])


class ManyMeshes(unittest.TestCase):
    def test_each_mesh_of_a_model_with_many_is_shown(self):
        count = 70
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            visuals = []
            for k in range(count):
                # One triangle, another one in each file.
                triangle = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1 + k, 0, 0, 0, 1, 0, 0)
                (path / f"{k}.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + triangle)
                visuals.append({"name": f"v{k}", "mesh": {"file": f"{k}.stl", "scale": 0.01}, "position": [0, 0, 0.1 * k]})
            body = {"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "visuals": visuals}
            (path / "m.json").write_text(json.dumps({"name": "m", "gravity": [0, 0, 0], "bodies": [body]}))
            with server(model=path / "m.json", settings=["--priority", "0"]) as (_, endpoint):
                with view(address_of(endpoint)) as (_, line):
                    found = shown("meshes", line.split()[1])
        self.assertEqual((found["fetched"], found["trouble"]), (count, ""))
        self.assertEqual(found["errors"], [])


if __name__ == "__main__":
    main()
