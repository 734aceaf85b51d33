#!/usr/bin/python3
"""The live view in a browser beyond driving: cameras, names, plots, late ticks, keys: page_test.py PROGRAM VIEW_FOLDER"""

import csv
import io
import os
import tempfile
import unittest

from car_view import Paths, address_of, car_in_view, main, node, scene, server, view


def seen(name):
    with tempfile.TemporaryDirectory() as out, car_in_view() as (process, url):
        return scene("page.mjs", name, url, os.environ.get("TACTUS_PICTURES", out), process.pid)


class CarInThePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = seen("look")

    def test_the_page_reports_no_error(self):
        self.assertEqual(self.found["errors"], [])

    def test_all_parts_fit_into_1280_by_720_pixels(self):
        self.assertEqual(self.found["layout"]["scroll"], [1280, 720])
        self.assertEqual(self.found["layout"]["outside"], [])
        width, height = self.found["layout"]["canvas"]
        self.assertTrue(width >= 640 and height >= 360, self.found["layout"])  # half of the page each way

    def test_pictures_lie_between_two_frames_by_the_delay_that_is_shown(self):
        self.assertIn("drawn 25 ms behind the newest frame", self.found["caption"])
        ticks = self.found["ticks"]
        self.assertEqual(ticks, sorted(ticks))
        # Frames are whole ticks; what is between them is not, but for one picture in many.
        self.assertGreater(sum(tick != int(tick) for tick in ticks), len(ticks) / 4)

    def test_late_ticks_show_with_their_cause(self):
        for cause in ("host stall", "page fault", "preemption", "own work"):
            self.assertIn(cause, self.found["causes"])
        late = self.found["late"]
        self.assertGreater(late["colored"], 0)
        self.assertRegex(late["title"], r"\d+ s ago: (host stall|page fault|preemption|own work) \d+")
        self.assertRegex(late["sums"], r"(host stall|page fault|preemption|own work) \d+.*worst: tick \d+")

    def test_cameras_stand_follow_and_chase(self):
        cameras = self.found["cameras"]
        # 2 m in 0.1 s; a camera that moves with the body leaves it where it was, up to its damping.
        self.assertGreater(cameras["orbit"]["moved"], 20)
        self.assertLess(cameras["follow"]["moved"], 2)
        self.assertLess(cameras["chase"]["moved"], 10)
        # From behind and from the right: the left rear wheel is to the left of the right one, and the middle of the
        # car, which is farther away, is nearer to the right wheel. The camera moves there smoothly.
        chase = cameras["chase"]
        left, right = chase["chassis"] - chase["wheels"][0], chase["wheels"][1] - chase["chassis"]
        self.assertGreater(left + right, 20)
        self.assertGreater(left, abs(right))

    def test_wheels_spin(self):
        self.assertEqual(self.found["spins"]["still"], 0)
        self.assertGreater(self.found["spins"]["turned"], 0.1)

    def test_the_path_of_the_car_is_drawn(self):
        self.assertGreater(self.found["trail"], 0.01)  # a line of a pixel through 40 pixels: 0.025

    def test_the_mouse_shows_the_name_of_a_body_and_a_double_click_selects_it_and_its_signals(self):
        self.assertEqual(self.found["hovered"], "wheel_rr")
        selected = self.found["selected"]
        self.assertEqual((selected["search"], selected["body"]), ("wheel_rr.", "wheel_rr"))
        self.assertIn("wheel_rr.omega.y", selected["signals"])
        self.assertEqual({name.split(".")[0] for name in selected["signals"]}, {"wheel_rr"})
        self.assertGreater(selected["marked"], 0.1)  # in another color


class PicturesThatComeLate(unittest.TestCase):
    def test_they_lose_pixels_and_the_page_says_so(self):
        found = seen("late")
        self.assertEqual(found["words"].split(", ")[1:], ["no shadows", "25 % of the pixels"])
        canvas = found["canvas"]
        self.assertAlmostEqual(canvas["width"], canvas["clientWidth"] / 2, delta=1)
        self.assertTrue(0 < found["at"]["x"] < canvas["clientWidth"], found)  # places are still those of the page
        self.assertEqual(found["errors"], [])

    def test_they_get_them_back_when_there_is_time_and_wait_longer_each_time(self):
        found = node("pace.mjs", Paths.folder)
        self.assertEqual(found["slow"], [[True, 1], [False, 1], [False, 0.75], [False, 0.5]])
        self.assertEqual(found["fast"], [[False, 0.75], [False, 1], [True, 1]])
        # Seconds before a try: the first one, and after one and two that failed.
        first, second, third = found["waits"]
        self.assertEqual((second, third), (2 * first, 4 * first))
        self.assertEqual(found["again"], first)  # after one that lasted
        # 640 x 480 keep their pixels: fewer would not make a picture quicker.
        self.assertEqual(found["small"], [False, 1])
        self.assertEqual(found["middling"], [True, 1])


class TheFirstBody(unittest.TestCase):
    def test_the_camera_follows_the_heaviest_body_which_may_be_elastic(self):
        # In the last one, all bodies are nodes of beams.
        for model, body in (("sedan", "chassis"), ("sedan_flexible", "chassis"), ("flexible_four_bar", r"\w+\.\d")):
            with self.subTest(model), server(model=model) as (_, endpoint), view(address_of(endpoint)) as (_, line):
                found = scene("page.mjs", "first", line.split()[1], "-", 0)
                self.assertRegex(found["body"], f"^{body}$")
                self.assertTrue(found["caption"].startswith(f"{found['body']} · "), found)


class ManyLinks(unittest.TestCase):
    def test_a_chain_is_seen_from_so_far_that_a_link_is_thinner_than_a_pixel(self):
        with tempfile.TemporaryDirectory() as out, server(model="chain:n=512") as (_, endpoint):
            with view(address_of(endpoint)) as (_, line):
                found = scene("page.mjs", "many", line.split()[1], os.environ.get("TACTUS_PICTURES", out), 0)
        # Of 255: the background has 233, a line of the grid 178, a lit link 150 or less.
        for on, off in zip(found["on"], found["off"]):
            self.assertLess(on, 155, found)
            self.assertGreater(off, 165, found)
        self.assertEqual(found["errors"], [])


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = seen("plots")

    def test_a_pause_holds_the_plot(self):
        self.assertTrue(self.found["kept"])
        self.assertEqual(self.found["errors"], [])

    def test_a_drag_zooms_into_its_part_and_the_way_back_is_a_button(self):
        (begin, end), (first, last) = self.found["whole"], self.found["zoomed"]
        self.assertAlmostEqual(end - begin, 1, delta=1e-6)
        # The middle half; a plot has 400 pixels or more.
        self.assertAlmostEqual(first, begin + 0.25, delta=0.01)
        self.assertAlmostEqual(last, end - 0.25, delta=0.01)
        self.assertEqual(self.found["left"], self.found["whole"])

    def test_a_page_of_another_size_keeps_the_zoom(self):
        self.assertEqual(self.found["resized"], self.found["zoomed"])

    def test_the_cursor_shows_time_and_value(self):
        t, value = (float(text) for text in self.found["cursor"])
        first, last = self.found["zoomed"]
        self.assertAlmostEqual(t, (first + last) / 2, delta=0.01)
        points = dict(zip((round(1e3 * t) for t in self.found["points"]["t"]), self.found["points"]["values"]))
        self.assertAlmostEqual(value, points[round(1e3 * t)], delta=1e-5 * abs(value) + 1e-6)  # six digits are shown

    def test_the_csv_has_the_plotted_numbers(self):
        self.assertEqual(self.found["csv"]["name"], "signals.csv")
        rows = list(csv.DictReader(io.StringIO(self.found["csv"]["text"])))
        self.assertEqual(list(rows[0]), ["t", "yaw_rate", "chassis.r.x"])
        self.assertEqual([float(row["t"]) for row in rows], self.found["points"]["t"])
        self.assertEqual([row["chassis.r.x"] and float(row["chassis.r.x"]) for row in rows],
                         ["" if v is None else v for v in self.found["points"]["values"]])
        self.assertTrue(any(row["yaw_rate"] for row in rows))  # the signal that was dragged into the plots

    def test_the_png_is_the_picture_of_a_plot(self):
        self.assertEqual(self.found["png"], "yaw_rate.png")
        self.assertGreater(self.found["painted"]["width"], 400)
        self.assertGreater(self.found["painted"]["pixels"], 1000)


class Keyboard(unittest.TestCase):
    def test_keys_alone_drive_pause_plot_select_and_turn_the_camera(self):
        found = seen("keyboard")
        self.assertEqual(found["driven"], "driven")
        self.assertEqual(found["cameras"], ["true", "false", "true"])
        one, other = found["wheels"]
        self.assertGreater(abs(one["x"] - other["x"]) + abs(one["y"] - other["y"]), 20)  # five times 0.08 rad
        self.assertIn("yaw_rate", found["plots"])
        self.assertEqual(found["errors"], [])


if __name__ == "__main__":
    main()
