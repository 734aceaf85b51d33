#!/usr/bin/python3
"""The time of an import of files of 10 000 lines: OpenDRIVE, URDF, MJCF and SDF.

    tests/bench/import_lines.py [TACTUS]
"""

import pathlib
import subprocess
import sys
import tempfile
import time

LINES = 10_000
ROUNDS = 5


def repeated(head: list[str], part, tail: list[str]) -> str:
    """As many parts as the lines take."""
    lines, count = list(head), 0
    while len(lines) < LINES:
        lines += part(count)
        count += 1
    return "\n".join(lines + tail) + "\n"


def drive_road(i: int) -> list[str]:
    """20 m of a straight way with two lanes and their marks, joined to the road before it."""
    before = f'<predecessor elementType="road" elementId="{i - 1}" contactPoint="end"/>' if i else ""

    def lane(number: int, color: str) -> list[str]:
        width = '<width sOffset="0" a="3.5" b="0" c="0" d="0"/>' if number else ""
        return [f'<lane id="{number}">', width, f'<roadMark sOffset="0" type="broken" color="{color}"/>', "</lane>"]

    return [f'<road id="{i}" junction="-1" length="20">', f"<link>{before}</link>", "<planView>",
            f'<geometry s="0" x="{20 * i}" y="0" hdg="0" length="20">', "<line/>", "</geometry>", "</planView>", "<elevationProfile>",
            '<elevation s="0" a="0" b="0" c="0" d="0"/>', "</elevationProfile>", "<lanes>", '<laneSection s="0">',
            "<left>", *lane(1, "white"), "</left>", "<center>", *lane(0, "yellow"), "</center>", "<right>", *lane(-1, "white"), "</right>",
            "</laneSection>", "</lanes>", "</road>"]


INERTIA = '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'


def urdf_link(i: int) -> list[str]:
    """A link on a revolute joint, in a binary tree."""
    link = [f'<link name="l{i}">', "<inertial>", '<origin xyz="0 0 0.1"/>', '<mass value="1"/>', INERTIA, "</inertial>", "</link>"]
    return link if i == 0 else [*link, f'<joint name="j{i}" type="revolute">', f'<parent link="l{(i - 1) // 2}"/>', f'<child link="l{i}"/>',
                                '<origin xyz="0 0 0.2"/>', '<axis xyz="1 0 0"/>',
                                '<limit lower="-1" upper="1" effort="1" velocity="1"/>', "</joint>"]


def mjcf_body(i: int) -> list[str]:
    return [f'<body name="b{i}" pos="{i} 0 1">', '<joint type="hinge" axis="1 0 0"/>', '<geom type="sphere" size="0.1"/>', "</body>"]


def sdf_link(i: int) -> list[str]:
    moments = "".join(f"<{name}>0.1</{name}>" for name in ("ixx", "iyy", "izz"))
    link = [f'<link name="l{i}">', f"<pose>0 0 {0.2 * i} 0 0 0</pose>", "<inertial>", "<mass>1</mass>", f"<inertia>{moments}</inertia>",
            "</inertial>", "</link>"]
    return link if i == 0 else [*link, f'<joint name="j{i}" type="revolute">', f"<parent>l{(i - 1) // 2}</parent>", f"<child>l{i}</child>",
                                "<axis>", "<xyz>1 0 0</xyz>", "</axis>", "</joint>"]


FILES = {
    "way.xodr": repeated(["<OpenDRIVE>"], drive_road, ["</OpenDRIVE>"]),
    "tree.urdf": repeated(['<robot name="tree">'], urdf_link, ["</robot>"]),
    "hinges.xml": repeated(["<mujoco>", "<worldbody>"], mjcf_body, ["</worldbody>", "</mujoco>"]),
    "tree.sdf": repeated(['<sdf version="1.9">', '<model name="tree">'], sdf_link, ["</model>", "</sdf>"]),
}


def main() -> None:
    tactus = sys.argv[1] if len(sys.argv) > 1 else "build/release/tactus"
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = pathlib.Path(folder) / name
            path.write_text(text)
            times = []
            for _ in range(ROUNDS):
                start = time.monotonic()
                subprocess.run([tactus, "model", "import", path, "--out", path.with_suffix(".json")], capture_output=True, check=True)
                times.append(time.monotonic() - start)
            print(f"{name:11} {len(text.splitlines())} lines: {1e3 * min(times):.0f} to {1e3 * max(times):.0f} ms")


if __name__ == "__main__":
    main()
