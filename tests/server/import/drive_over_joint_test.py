"""A sedan drives over the joint of two roads of OpenDRIVE as over one road. Usage: drive_over_joint_test.py PROGRAM"""
# Covers: server/import/road_chain.cpp, server/import/road_links.cpp

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PROGRAM = sys.argv.pop(1)
JOINT = 20.0  # m along the way; the car stands at 10 m
# Round-off: heights of both files are the same parabola, written from another place on. Loads of tyres are some 1e4 N.
SAME_LOAD, SAME_PLACE = 1e-6, 1e-9  # N; m


def tactus(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    return done.stdout


def height(s):
    return 0.02 * s + 0.0005 * s * s


def road(number, start, end, link=""):
    """A stretch of one parabola from way to way, with two lanes."""
    lane = '<lane id="{}"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane>'
    return f"""<road id="{number}" junction="-1" length="{end - start}">{link}
<planView><geometry s="0" x="{start - 10}" y="0" hdg="0" length="{end - start}"><line/></geometry></planView>
<elevationProfile><elevation s="0" a="{height(start)}" b="{0.02 + 0.001 * start}" c="0.0005" d="0"/></elevationProfile>
<lanes><laneSection s="0"><left>{lane.format(1)}</left><right>{lane.format(-1)}</right></laneSection></lanes></road>
"""


class DriveOverJoint(unittest.TestCase):
    def motion(self, folder, name, roads):
        """Names and rows of 3 s from 10 m/s on."""
        (folder / f"{name}.xodr").write_text(f"<OpenDRIVE>{roads}</OpenDRIVE>")
        tactus("model", "import", folder / f"{name}.xodr", "--out", folder / "roads.json")
        made = json.loads((folder / "roads.json").read_text())["roads"]
        self.assertEqual(len(made), 1)
        car = json.loads(tactus("model", "print", "sedan"))
        car["roads"] = [made[0] | {"name": "road", "origin": [0, 0, -height(10)]}]
        car["parameters"] = [p for p in car["parameters"] if "road" not in json.dumps(p)]
        (folder / "car.json").write_text(json.dumps(car))
        out = folder / f"{name}.csv"
        tactus("run", folder / "car.json", "--initial", "driving_10", "--until", "3s", "--step", "1ms",
               "--signals", "tyre_*.load,chassis.r.*", "--out", out)
        return out.read_text().splitlines()[0].split(","), np.loadtxt(out, delimiter=",", skiprows=1)

    def test_loads_and_places_are_those_on_one_road(self):
        follows = '<link><successor elementType="road" elementId="2" contactPoint="start"/></link>'
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            names, one = self.motion(folder, "one", road(1, 0, 100))
            _, two = self.motion(folder, "two", road(1, 0, JOINT, follows) + road(2, JOINT, 100))
        x = one[:, names.index("chassis.r.x")]
        self.assertGreater(x[-1], JOINT)  # both axles have passed the joint, 10 m ahead
        for column, name in enumerate(names):
            limit = SAME_LOAD if name.endswith("load") else SAME_PLACE
            self.assertLess(np.abs(one[:, column] - two[:, column]).max(), limit, name)
            if name.endswith("load"):
                self.assertGreater(one[:, column].max(), 1000)  # N: the tyre carries the car


if __name__ == "__main__":
    unittest.main()
