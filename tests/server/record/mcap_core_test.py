#!/usr/bin/python3
"""A recording opens in the reader of the MCAP project: mcap_core_test.py PROGRAM BUILD_FOLDER

The reader is @mcap/core from npm, installed into the build tree from the lock file beside this test. Exit status 77
where there is no node or no npm: the test is skipped.
"""

import base64
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SOURCE = pathlib.Path(__file__).resolve().parent / "mcap_core"
SKIPPED = 77
PROGRAM, BUILD = None, None


def installed_reader():
    """The folder in the build tree that holds the reader; installs it if the lock file has changed."""
    folder = BUILD / "mcap_core"
    folder.mkdir(parents=True, exist_ok=True)
    lock = (SOURCE / "package-lock.json").read_text()
    shutil.copy(SOURCE / "read_recording.mjs", folder)
    marker = folder / "installed"
    if not marker.exists() or marker.read_text() != lock:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(SOURCE / name, folder)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
        marker.write_text(lock)
    return folder


def message_class(schema):
    """The protobuf class that a schema of a channel describes."""
    files = descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(schema["data"]))
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(schema["name"]))


class RecordingInTheReaderOfMcap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        recording, table = path / "run.mcap", path / "run.csv"
        arguments = ["--until", "100ms", "--step", "1ms", "--signals", "crank_angle,energy.total"]
        run = [PROGRAM, "run", "motor_four_bar", *arguments, "--out"]
        subprocess.run([*run, recording, "--record-scene"], check=True, capture_output=True)
        subprocess.run([*run, table], check=True, capture_output=True)
        reader = subprocess.run(
            ["node", installed_reader() / "read_recording.mjs", recording], check=True, capture_output=True, text=True
        )
        found = json.loads(reader.stdout)
        cls.indexed, cls.streamed = found["indexed"], found["streamed"]
        with open(table, encoding="utf-8", newline="") as file:
            cls.rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_record_of_the_file_is_known_and_every_checksum_is_right(self):
        self.assertTrue(self.streamed["complete"])
        self.assertNotIn("Unknown", self.streamed["records"])
        for kind in ("Header", "Schema", "Channel", "Chunk", "Message", "MessageIndex", "Statistics", "Footer"):
            self.assertGreater(self.streamed["records"].get(kind, 0), 0, kind)

    def test_the_index_finds_every_message_that_the_file_holds(self):
        self.assertEqual(len(self.indexed["messages"]), int(self.indexed["message_count"]))
        self.assertEqual(len(self.indexed["messages"]), self.streamed["records"]["Message"])
        times = [int(message["log_time"]) for message in self.indexed["messages"]]
        self.assertEqual(times, sorted(times))

    def test_the_signals_read_by_their_schema_are_bit_for_bit_those_of_the_table(self):
        channels = {channel["topic"]: channel for channel in self.indexed["channels"]}
        self.assertTrue(all(channel["encoding"] == "protobuf" for channel in channels.values()))
        topic, channel = next((t, c) for t, c in channels.items() if c["schema"]["name"].endswith(".Signals"))
        kind = message_class(channel["schema"])
        fields = {field.json_name: field.name for field in kind.DESCRIPTOR.fields}
        messages = [kind.FromString(base64.b64decode(m["data"])) for m in self.indexed["messages"] if m["topic"] == topic]
        rows = [row for row in self.rows if round(1e3 * row["t"]) in {message.tick for message in messages}]
        self.assertGreaterEqual(len(messages), 100)
        self.assertEqual(len(rows), len(messages))
        for row, message in zip(rows, messages):
            for name in ("crank_angle", "energy.total"):
                self.assertEqual(getattr(message, fields[name]), row[name], (message.tick, name))

    def messages(self, topic):
        """The decoded messages of a topic."""
        channel = next(channel for channel in self.indexed["channels"] if channel["topic"] == topic)
        kind = message_class(channel["schema"])
        self.assertEqual(channel["schema"]["name"], kind.DESCRIPTOR.full_name)
        return [kind.FromString(base64.b64decode(m["data"])) for m in self.indexed["messages"] if m["topic"] == topic]

    def test_the_scene_has_shapes_and_frames_of_all_bodies_in_the_messages_of_foxglove(self):
        [scene] = self.messages("/scene")
        bodies = {entity.id for entity in scene.entities if entity.frame_id != "world"}
        self.assertGreater(len(bodies), 0)
        # Joints on ground are in the world: the pins of the crank and of the rocker.
        [ground] = [entity for entity in scene.entities if entity.frame_id == "world"]
        self.assertEqual(len(ground.cylinders), 2)
        for entity in scene.entities:
            shapes = [*entity.cubes, *entity.spheres, *entity.cylinders, *entity.triangles]
            self.assertGreater(len(shapes), 0, entity.id)
        frames = self.messages("/tf")
        # 100 ticks of 1 ms, a frame every 17 ticks, and the one of tick 0.
        self.assertEqual(len(frames), 6)
        for frame in frames:
            self.assertEqual({t.child_frame_id for t in frame.transforms}, bodies)
            self.assertEqual({t.parent_frame_id for t in frame.transforms}, {"world"})
        turned = [frame.transforms[0].rotation for frame in frames]
        self.assertNotEqual(turned[0], turned[-1])
        for turn in turned:
            self.assertAlmostEqual(turn.x**2 + turn.y**2 + turn.z**2 + turn.w**2, 1, delta=1e-9)  # up to rounding

    def test_the_unit_of_each_signal_is_in_the_metadata_of_its_channel(self):
        channel = next(channel for channel in self.indexed["channels"] if channel["topic"] == "/signals")
        self.assertEqual(channel["metadata"], {"crank_angle": "rad", "energy.total": "J"})

    def test_the_lines_from_body_to_body_move_with_them(self):
        path = pathlib.Path(self.folder.name) / "rod.mcap"
        subprocess.run([PROGRAM, "run", "spatial_pendulum", "--until", "100ms", "--out", path, "--record-scene"], check=True,
                       capture_output=True)
        reader = subprocess.run(["node", installed_reader() / "read_recording.mjs", path], check=True, capture_output=True,
                                text=True)
        found = json.loads(reader.stdout)["indexed"]
        channel = next(channel for channel in found["channels"] if channel["topic"] == "/lines")
        kind = message_class(channel["schema"])
        updates = [kind.FromString(base64.b64decode(m["data"])) for m in found["messages"] if m["topic"] == "/lines"]
        self.assertEqual(len(updates), 6)  # 100 ticks of 1 ms, every 17 ticks, and tick 0
        ends = []
        for update in updates:
            [entity] = update.entities
            self.assertEqual((entity.id, entity.frame_id), ("rod", "world"))
            first, last = entity.lines[0].points
            self.assertEqual((first.x, first.y, first.z), (0, 0, 0))
            # 80 mm; the rod is a constraint, which the step keeps to rounding.
            self.assertAlmostEqual(math.hypot(last.x, last.y, last.z), 0.08, delta=1e-6)
            ends.append(last.y)
        self.assertGreater(ends[-1] - ends[0], 0.01)  # thrown along y

    def test_a_server_records_the_scene_from_its_start_and_on_request(self):
        folder = pathlib.Path(self.folder.name)
        address, own = f"unix:{folder}/s.sock", folder / "own.mcap"
        served = [PROGRAM, "serve", "motor_four_bar", "--priority", "0", "--listen", address, "--record", own, "--record-scene",
                  "--recordings", folder]
        with subprocess.Popen(list(map(str, served)), stdout=subprocess.PIPE, text=True) as server:
            next(line for line in server.stdout if line.startswith("endpoint"))
            for words in (["start", "asked", "--record-scene"], ["start", "bare"], ["stop", "asked"], ["stop", "bare"]):
                subprocess.run([PROGRAM, "recording", *words, "--server", address], check=True, capture_output=True)
            server.terminate()
        for name, wanted in (("own", True), ("asked", True), ("bare", False)):
            self.assertEqual(b"foxglove.SceneUpdate" in (folder / f"{name}.mcap").read_bytes(), wanted, name)

    def test_a_recording_that_the_reserve_has_ended_is_whole_and_tells_the_reason(self):
        folder = pathlib.Path(self.folder.name)
        script = f"""mkdir {folder}/small && mount -t tmpfs -o size=4608k none {folder}/small || exit 77
            {PROGRAM} serve motor_four_bar --priority 0 --clock free-run --duration 3s --listen unix:{folder}/e.sock \\
                --disk-reserve 4 --record {folder}/small/a.mcap && cp {folder}/small/a.mcap {folder}/ended.mcap"""
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script], capture_output=True)
        if not (folder / "ended.mcap").exists() and not (folder / "small/a.mcap").exists() and b"mount" in done.stderr:
            self.skipTest("no private mount namespace here: " + done.stderr.decode().strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        reader = subprocess.run(["node", installed_reader() / "read_recording.mjs", folder / "ended.mcap"], check=True,
                                capture_output=True, text=True)
        found = json.loads(reader.stdout)
        self.assertTrue(found["streamed"]["complete"])
        self.assertEqual(len(found["indexed"]["messages"]), int(found["indexed"]["message_count"]))
        [end] = [record["entries"] for record in found["indexed"]["metadata"] if record["name"] == "tactus_end"]
        self.assertIn("the reserve of 4194304 bytes is reached", end["ended_early"])

    def test_a_recording_without_the_option_has_no_scene(self):
        path = pathlib.Path(self.folder.name) / "plain.mcap"
        subprocess.run([PROGRAM, "run", "motor_four_bar", "--until", "5ms", "--step", "1ms", "--out", path], check=True,
                       capture_output=True)
        self.assertNotIn(b"foxglove.", path.read_bytes())

    def test_reading_by_index_and_from_front_to_back_give_the_same_messages(self):
        self.assertEqual(sorted(m["data"] for m in self.indexed["messages"]), sorted(self.streamed["messages"]))


if __name__ == "__main__":
    PROGRAM, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed; docker/install_packages.sh npm installs it")
            sys.exit(SKIPPED)
    unittest.main()
