#!/usr/bin/python3
"""Clients of Foxglove at the bridge, one from its specification and one of its project: foxglove_test.py PROGRAM VIEW_FOLDER"""

import json
import math
import unittest

from car_view import HERE, Paths, car_in_view, installed, main, node


class ClientOfTheProject(unittest.TestCase):
    """@foxglove/ws-protocol, with the messages by @foxglove/schemas: nothing of the bridge decodes."""

    @classmethod
    def setUpClass(cls):
        script = installed("foxglove_client") / "client.mjs"
        with car_in_view() as (_, url):
            cls.found = node(script, url)

    def test_its_client_takes_every_message(self):
        self.assertEqual(self.found["errors"], [])
        self.assertIn("services", self.found["info"]["capabilities"])

    def test_the_schemas_of_the_channels_have_the_names_numbers_and_types_of_the_project(self):
        self.assertEqual(self.found["topics"], ["/tf", "/scene", "/lines"])
        self.assertEqual(self.found["differences"], [])

    def test_its_schemas_read_the_car(self):
        self.assertEqual(self.found["bodies"], 20)
        ways = self.found["chassis"]
        self.assertEqual(ways, sorted(ways))
        self.assertGreater(ways[-1] - ways[0], 1)  # m; the car rolls at 20 m/s
        self.assertGreater(self.found["entities"]["chassis"], 0)
        self.assertLessEqual({"spring_fl", "spring_fr", "spring_rl", "spring_rr"}, set(self.found["lines"]))

    def test_its_client_calls_services_and_reads_parameters(self):
        self.assertEqual(self.found["time"]["state"], "SESSION_STATE_RUNNING")
        self.assertGreater(self.found["parameters"], 0)


class ClientOfFoxglove(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with car_in_view() as (_, url):
            cls.found = node("foxglove.mjs", Paths.folder, url)

    def test_other_origins_and_other_protocols_are_refused(self):
        self.assertEqual(self.found["elsewhere"], 403)
        self.assertEqual(self.found["unknown"], 400)

    def test_frames_of_all_bodies_follow_the_car(self):
        self.assertEqual(self.found["info"]["capabilities"], ["time", "services", "parameters", "parametersSubscribe"])
        self.assertEqual(self.found["info"]["supportedEncodings"], ["json"])
        self.assertEqual([channel["schemaName"] for channel in self.found["channels"]],
                         ["foxglove.FrameTransforms", "foxglove.SceneUpdate", "foxglove.SceneUpdate"])
        self.assertEqual(self.found["bodies"], 20)
        ways = [frame["translation"]["x"] for frame in self.found["frames"]]
        # The car rolls at 20 m/s at most, and 30 frames take some tenths of a second or more.
        self.assertEqual(ways, sorted(ways))
        self.assertGreater(ways[-1] - ways[0], 1)
        turn = self.found["frames"][0]["rotation"]
        self.assertAlmostEqual(sum(v * v for v in turn.values()), 1, delta=1e-9)  # a unit quaternion up to rounding
        self.assertTrue(all(frame["parent_frame_id"] == "world" for frame in self.found["frames"]))
        self.assertTrue(self.found["rising"])

    def test_the_scene_has_shapes_in_the_frame_of_each_body(self):
        entities = {entity["id"]: entity for entity in self.found["entities"]}
        self.assertEqual(len(entities), 21)  # 20 bodies and the world
        for name in ("chassis", "wheel_fl", "lower_rr"):
            self.assertEqual(entities[name]["frameId"], name)
            self.assertGreater(entities[name]["shapes"], 0)

        self.assertGreater(entities["world"]["lines"], 0)  # the plane of the road

    def test_springs_are_coils_that_follow_the_car(self):
        for drawn in self.found["lines"]:
            springs = {entity["id"]: entity for entity in drawn}
            self.assertLessEqual({"spring_fl", "spring_fr", "spring_rl", "spring_rr"}, set(springs))
            for entity in springs.values():
                self.assertEqual(entity["frameId"], "world")
            points = springs["spring_fl"]["points"]
            self.assertGreater(len(points), 20)
            # About as long as the spring of a car, m; two of its points lie on its line.
            self.assertTrue(0.2 < math.dist(points[0].values(), points[-1].values()) < 0.6, points)
        ways = [next(e for e in drawn if e["id"] == "spring_fl")["points"][0]["x"] for drawn in self.found["lines"]]
        self.assertEqual(ways, sorted(ways))
        self.assertGreater(ways[-1] - ways[0], 1)  # m; the car rolls at 20 m/s

    def test_services_pause_step_reset_and_start_the_session(self):
        found = self.found
        self.assertEqual([service["name"] for service in found["services"]],
                         ["/start", "/pause", "/step", "/reset", "/time", "/safe_state"])
        self.assertEqual(found["paused"]["state"], "SESSION_STATE_PAUSED")
        self.assertEqual(found["stepped"]["tick"], found["paused"]["tick"] + 5)
        self.assertEqual(found["reset"]["tick"], 0)
        self.assertEqual((found["time"]["tick"], found["time"]["sim_time_s"]), (0, 0))
        self.assertEqual(found["started"]["state"], "SESSION_STATE_RUNNING")
        self.assertEqual(found["later"], "SESSION_STATE_RUNNING")

    def test_who_subscribes_while_the_session_stands_gets_its_frames_and_its_scene(self):
        self.assertEqual(self.found["standing"], [60, 61])

    def test_signals_come_under_the_names_and_units_of_their_schema(self):
        signals, rows = self.found["signals"], self.found["rows"]
        self.assertEqual(signals["encoding"], "json")
        self.assertIn("m/s", signals["speed"]["description"])
        for row in rows:
            self.assertEqual(row["names"], signals["names"])
            self.assertAlmostEqual(row["t"], 1e-3 * row["tick"], delta=1e-9)  # the period is 1 ms
            self.assertGreater(row["speed"], 1)
        ticks = [row["tick"] for row in rows]
        self.assertEqual(ticks, sorted(set(ticks)))

    def test_the_shipped_layout_names_what_the_bridge_offers(self):
        layout = json.loads((HERE.parents[2] / "clients/web/foxglove/sedan.json").read_text(encoding="utf-8"))
        panels = layout["configById"]

        def leaves(node):
            return [node] if isinstance(node, str) else leaves(node["first"]) + leaves(node["second"])
        self.assertEqual(sorted(leaves(layout["layout"])), sorted(panels))
        car = panels["3D!car"]
        self.assertIn(car["followTf"], {frame["child_frame_id"] for frame in self.found["frames"]})
        self.assertLessEqual(set(car["topics"]), {channel["topic"] for channel in self.found["channels"]})
        plotted = {path["value"] for path in panels["Plot!drive"]["paths"]}
        self.assertEqual({path.split(".")[0] for path in plotted}, {"/signals"})
        self.assertLessEqual({path.split(".")[1] for path in plotted}, set(self.found["signals"]["names"]))
        calls = {panel["serviceName"] for name, panel in panels.items() if name.startswith("CallService!")}
        self.assertLessEqual(calls, {service["name"] for service in self.found["services"]})
        self.assertLessEqual({"/start", "/pause", "/reset"}, calls)

    def test_a_service_that_cannot_answer_says_why(self):
        self.assertIn("no service 77", self.found["unknown_service"]["failure"])
        self.assertIn("JSON object", self.found["bad_request"]["failure"])
        self.assertIn("must be json, and not cdr", self.found["bad_encoding"]["failure"])

    def test_parameters_are_read_set_and_told_to_those_who_subscribe(self):
        first = self.found["parameters"][0]
        self.assertEqual(first["type"], "float64")
        self.assertEqual(self.found["set"]["value"], 0.5 * first["value"])
        self.assertEqual(self.found["told"][-1], first)

    def test_bad_parameters_and_messages_get_a_status_in_words(self):
        text = "\n".join(self.found["refused"])
        self.assertIn("finite number", text)
        self.assertIn("no_such", text)
        self.assertIn("request of a service", text)

    def test_bad_requests_get_a_status_in_words(self):
        self.assertIn("JSON", self.found["complaints"][0])
        self.assertIn("no channel 99", self.found["complaints"][1])


if __name__ == "__main__":
    main()
