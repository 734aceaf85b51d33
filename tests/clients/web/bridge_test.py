#!/usr/bin/python3
"""The bridge and strangers: what is no page, or asks as no page does: bridge_test.py PROGRAM VIEW_FOLDER"""

import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

import meshes
from car_view import Paths, address_of, main, node, running, server, view

NOWHERE = "127.0.0.1:1"  # no server: the bridge starts without one


@contextlib.contextmanager
def bridge(*arguments, **environment):
    """The bridge by itself, without the checks of `tactus view`; yields its URL."""
    former = dict(os.environ)
    os.environ.update(environment)
    try:
        command = ["node", Paths.folder / "bridge.cjs", "--server", NOWHERE, "--port", "0", *arguments]
        with running(*command, until="view: ") as (_, line):
            yield line.split()[1]
    finally:
        os.environ.clear()
        os.environ.update(former)


def refusal_of(*arguments, **environment):
    """What the bridge says when it does not start."""
    command = ["node", Paths.folder / "bridge.cjs", *arguments]
    done = subprocess.run(list(map(str, command)), env=os.environ | environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done
    return done.stderr


def status_of(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class Strangers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with server(model="motor_four_bar") as (_, endpoint), view(address_of(endpoint)) as (process, line):
            cls.found = node("strangers.mjs", Paths.folder, line.split()[1])
            cls.status = process.poll()

    def test_the_bridge_goes_on(self):
        self.assertIsNone(self.status)

    def test_a_request_without_a_path_gets_an_answer(self):
        self.assertEqual([line.split()[1] for line in self.found["slashes"]], ["404", "404", "400"])

    def test_connections_that_are_reset_end_alone(self):
        self.assertEqual(self.found["afterResets"], "HTTP/1.1 200 OK")

    def test_a_page_of_another_site_cannot_frame_the_view(self):
        self.assertIn("frame-ancestors 'none'", self.found["policy"])

    def test_each_odd_subscription_gets_a_status_and_a_good_one_beside_them_its_scene(self):
        statuses = self.found["statuses"]
        self.assertEqual([text.split(" ")[:4] for text in statuses[:4]], [["the", "id", "of", "a"]] * 4)
        self.assertIn("there is no channel", statuses[4])
        rest = "\n".join(statuses[5:])
        self.assertIn("finite number", rest)
        self.assertIn("does not know the operation", rest)

    def test_a_step_is_a_whole_number_of_ticks(self):
        for message in self.found["steps"]:
            self.assertIn("whole number", message)

    def test_a_page_learns_that_another_one_holds_the_lease(self):
        self.assertEqual(self.found["driven"], ["motor"])
        self.assertEqual(self.found["held"]["reason"], "LEASE_HELD")
        self.assertNotEqual(self.found["held"]["code"], "INTERNAL")

    def test_a_client_of_foxglove_gets_the_signals_of_a_session_that_takes_the_place_of_another_one(self):
        fields = self.found["fields"]
        self.assertIn("crank_angle", fields["before"])
        self.assertNotIn("crank_angle", fields["after"])
        self.assertIn("link_3_r_x", fields["after"])
        self.assertEqual(self.found["unadvertised"], [4])

    def test_a_page_too_many_is_told_why(self):
        self.assertEqual(self.found["pages"], 33)
        self.assertRegex(self.found["tooMany"], "^closed 4000 The bridge has 32 connections")


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("mirrored.glb", "whole.glb", "sheet.glb")]
            contents = (meshes.glb([1, 0, 0], translation=[3, 0, 0], scale=[-1, 2, 1]),
                        meshes.glb([1, 0, 0], translation=[3, 0, 0], scale=[0.5, 0.5, 0.5], whole_numbers=True),
                        meshes.glb([1, 0, 0], sheet=True))
            for file, content in zip(files, contents, strict=True):
                file.write_bytes(content)
            cls.found = node("parts.mjs", Paths.folder, *files)

    def test_a_feed_stays_open_for_a_page_that_is_about_to_join_when_the_last_one_leaves(self):
        self.assertEqual([list(word) for word in self.found["leaving"]], [["layout"]])

    def test_a_page_that_joins_a_feed_which_has_ended_is_told(self):
        self.assertEqual(self.found["ending"], [{"ended": {"subscription": 2, "message": "the session was deleted"}}])

    def test_a_page_that_joins_the_feed_of_a_session_that_stands_gets_its_row(self):
        self.assertEqual(self.found["late"], {"words": ["layout"], "rows": 1})

    def test_a_page_whose_inputs_are_taken_over_stops_driving(self):
        self.assertEqual(self.found["taken"]["said"], ["LEASE_LOST"])
        self.assertEqual(self.found["taken"]["written"], ["open", "input", "leave"])

    def test_a_feed_that_nobody_joins_is_closed(self):
        self.assertEqual(self.found["unread"], [True])

    def test_all_meshes_of_a_model_are_kept_until_it_is_drawn(self):
        self.assertEqual(self.found["inBridge"], 100)
        self.assertEqual(self.found["inPage"], 100)

    def test_meshes_of_models_before_the_newest_eight_are_dropped(self):
        self.assertEqual(self.found["later"], [f"other{number}" for number in range(8)])


    def test_meshes_of_the_session_are_kept_however_many_recordings_are_shown(self):
        self.assertTrue(self.found["ofSession"])

    def test_a_mirrored_part_of_a_mesh_is_seen_from_outside(self):
        mirrored = self.found["drawing"]["solids"][0]
        self.assertEqual(mirrored["trouble"], "")
        [part] = mirrored["parts"]
        self.assertEqual(part["box"], [2, -2, -1, 4, 2, 1])
        self.assertAlmostEqual(part["volume"], 16, places=3)  # single precision

    def test_whole_numbers_of_a_mesh_are_scaled_and_moved(self):
        [part] = self.found["drawing"]["solids"][1]["parts"]
        self.assertEqual(part["box"], [2.5, -0.5, -0.5, 3.5, 0.5, 0.5])
        self.assertAlmostEqual(part["volume"], 1, places=3)  # single precision

    def test_a_part_with_two_sides_is_a_sheet(self):
        self.assertEqual([[part["isSheet"] for part in file["parts"]] for file in self.found["drawing"]["solids"]],
                         [[False], [False], [True]])

    def test_a_long_narrow_road_is_drawn_up_to_its_sides_and_its_end(self):
        long, longer, thin = self.found["drawing"]["roads"]
        self.assertEqual(long["box"], [0, -8, 0, 599, 8, 0])
        self.assertEqual(longer["box"], [0, -8, 0, 2099, 8, 0])
        self.assertEqual(thin["box"], [0, -8, 0, 299, -6, 0])
        self.assertEqual(longer["faces"], 2 * 8 * 234)

    def test_a_recording_that_is_thinned_out_has_rows_at_equal_distances(self):
        for ticks in self.found["drawing"]["kept"]:
            self.assertEqual(ticks, list(range(0, 40, 8)))

    def test_a_recording_with_a_part_of_a_pose_is_read_without_a_picture(self):
        self.assertFalse(self.found["drawing"]["hasPicture"])


class Addresses(unittest.TestCase):
    def test_an_origin_is_compared_as_a_browser_writes_it(self):
        with bridge("--origin", "http://h.example:80", "--origin", "https://S.example/") as url:
            # A browser leaves out the port that belongs to the scheme, and writes names in small letters.
            for host, status in (("h.example", 200), ("h.example:80", 200), ("s.example", 200), ("t.example", 403)):
                self.assertEqual(status_of(url, Host=host), status, host)

    def test_the_url_that_is_printed_for_an_ipv6_address_is_served(self):
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::ffff:127.0.0.2", 0))
        except OSError:
            self.skipTest("this host has no IPv6")
        with bridge("--listen", "::ffff:127.0.0.2", TACTUS_VIEW_TOKEN="0123456789abcdef") as url:
            self.assertRegex(url, r"^http://\[[0-9a-f:]+\]:\d+/\?token=")
            self.assertEqual(status_of(url), 200)

    def test_a_token_goes_to_no_host_whose_name_begins_like_an_address(self):
        with tempfile.TemporaryDirectory() as folder:
            token = pathlib.Path(folder, "token")
            token.write_text("0123456789abcdef")
            token.chmod(0o600)
            for address in ("127.example.com:1", "127.1:1", "localhost.example.com:1"):
                refused = refusal_of("--server", address, TACTUS_TOKEN_FILE=str(token))
                self.assertIn("must not go to another host", refused, address)
            with bridge(TACTUS_TOKEN_FILE=str(token)) as url:
                self.assertEqual(status_of(url), 200)

    def test_a_bridge_with_rights_of_its_own_makes_a_secret_for_its_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            token = pathlib.Path(folder, "token")
            token.write_text("0123456789abcdef")
            token.chmod(0o600)
            for arguments, environment in (((), {"TACTUS_TOKEN_FILE": str(token)}), (("--server", "unix:/nowhere"), {})):
                with bridge(*arguments, **environment) as url:
                    self.assertRegex(url, r"/\?token=[0-9a-f]{32}$")
                    self.assertEqual(status_of(url), 200)
                    self.assertEqual(status_of(url.partition("?")[0]), 401)
            with bridge() as url:
                self.assertNotIn("token", url)
            self.assertIn("--page-token-file", refusal_of("--listen", "0.0.0.0", TACTUS_TOKEN_FILE=str(token)))

    def test_an_empty_file_is_no_secret_of_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder, "secret")
            secret.write_text("\n")
            secret.chmod(0o600)
            self.assertIn("is empty", refusal_of("--server", NOWHERE, "--port", "0", TACTUS_VIEW_TOKEN_FILE=str(secret)))


if __name__ == "__main__":
    main()
