#!/usr/bin/env python3
"""A driving simulator: one thread exchanges driver inputs and states with the server at every tick, another one draws
at 60 Hz and asks for the poses at its own time, between two ticks.

In a terminal the arrow keys drive: left and right steer, up accelerates, down brakes, q ends. The terminal shows the
car from above. With --inputs a recorded driver takes over: a CSV file of t,steering,throttle,brake,gear_ratio, where
each row holds until the next one. --no-view computes every picture and draws none. --poses writes the poses of every
picture.
"""

import argparse
import bisect
import collections
import contextlib
import csv
import math
import os
import select
import sys
import threading
import time
from typing import Protocol, TextIO

import numpy as np
import numpy.typing as npt

import command_line
import tactus

BODIES = ("chassis", "wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr")
PARTS = ("r.x", "r.y", "r.z", "p.e0", "p.e1", "p.e2", "p.e3")
INPUTS = ("steering", "throttle", "brake", "gear_ratio")
NEUTRAL = {"steering": 0.0, "throttle": 0.0, "brake": 0.0, "gear_ratio": 1.4}


Poses = npt.NDArray[np.float64]


class Driver(Protocol):
    def at(self, t: float) -> dict[str, float] | None:
        """Inputs at simulated time `t`, s, or None to end."""


class PoseBuffer:
    """Poses of the last frames, interpolated to any time between them. One thread pushes, another one reads."""

    def __init__(self, frames: int = 256) -> None:
        self._lock = threading.Lock()
        self._times: collections.deque[float] = collections.deque(maxlen=frames)
        self._poses: collections.deque[Poses] = collections.deque(maxlen=frames)

    def push(self, t: float, poses: Poses) -> None:
        """Adds the poses at simulated time `t`, s.

        Parameters
        ----------
        poses : numpy.ndarray, shape (number of bodies, 7)
            World position, m, and orientation (unit quaternion, scalar first) of each body.
        """
        with self._lock:
            self._times.append(t)
            self._poses.append(poses)

    def at(self, t: float) -> tuple[Poses | None, str]:
        """Poses at simulated time `t`, and where `t` lies: "between" two frames, "too new", "too old" or "none"."""
        with self._lock:
            if not self._times:
                return None, "none"
            if t >= self._times[-1]:
                return self._poses[-1], "too new" if t > self._times[-1] else "between"
            if t < self._times[0]:
                return self._poses[0], "too old"
            times = list(self._times)
            k = bisect.bisect_right(times, t)
            a, b, share = self._poses[k - 1], self._poses[k], (t - times[k - 1]) / (times[k] - times[k - 1])
        return between(a, b, share), "between"


def between(a: Poses, b: Poses, share: float) -> Poses:
    """Linear interpolation of poses; orientations take the shorter arc, because p and -p are one orientation."""
    sign = np.where(np.sum(a[:, 3:] * b[:, 3:], axis=1, keepdims=True) < 0, -1.0, 1.0)
    poses: Poses = (1 - share) * a + share * np.hstack([b[:, :3], sign * b[:, 3:]])
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    return poses


class SimulatedClock:
    """Estimate of the current simulated time from the arrival of frames, smoothed; needs no clock of the server."""

    def __init__(self) -> None:
        self._offset: float | None = None

    def frame(self, t: float) -> None:
        offset = t - time.monotonic()
        self._offset = offset if self._offset is None else self._offset + 0.01 * (offset - self._offset)

    def read(self) -> float:
        """Simulated time of the newest state that can have arrived, s."""
        return -math.inf if self._offset is None else time.monotonic() + self._offset


class RecordedDriver:
    """Inputs from a CSV file of t,steering,throttle,brake,gear_ratio; each row holds until the next one."""

    def __init__(self, path: str) -> None:
        with open(path, newline="", encoding="utf-8-sig") as file:  # of a spreadsheet, too
            rows = list(csv.reader(file))
        if not rows or tuple(rows[0]) != ("t", *INPUTS):
            raise SystemExit(f"{path}: the first line must be t,{','.join(INPUTS)}")
        self._rows: list[list[float]] = []
        for number, row in enumerate(rows[1:], 2):
            try:
                values = [float(v) for v in row]
            except ValueError:
                values = []
            if len(values) != 5 or not all(map(math.isfinite, values)):
                raise SystemExit(f"{path}:{number}: must be five numbers")
            if self._rows and values[0] <= self._rows[-1][0]:
                raise SystemExit(f"{path}:{number}: times must rise")
            self._rows.append(values)
        if not self._rows:
            raise SystemExit(f"{path}: has no rows")

    def at(self, t: float) -> dict[str, float] | None:
        k = bisect.bisect_right(self._rows, t, key=lambda row: row[0])
        return NEUTRAL if k == 0 else dict(zip(INPUTS, self._rows[k - 1][1:]))


class KeyboardDriver:
    """Inputs from the arrow keys; pedals return by themselves. A context manager that restores the terminal."""

    def __enter__(self) -> "KeyboardDriver":
        import termios

        self._before = termios.tcgetattr(sys.stdin)
        raw = termios.tcgetattr(sys.stdin)
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(sys.stdin, termios.TCSANOW, raw)
        self._input, self._last = dict(NEUTRAL), 0.0
        return self

    def __exit__(self, *exception: object) -> None:
        import termios

        termios.tcsetattr(sys.stdin, termios.TCSANOW, self._before)

    def at(self, t: float) -> dict[str, float] | None:
        """Inputs at simulated time `t`, s, or None after the key q."""
        if t - self._last < 0.01:
            return self._input
        dt, self._last, now = t - self._last, t, self._input
        now["throttle"] = max(0.0, now["throttle"] - 0.5 * dt)
        now["brake"] = max(0.0, now["brake"] - 2.0 * dt)
        while select.select([sys.stdin], [], [], 0)[0]:
            keys = os.read(sys.stdin.fileno(), 3)
            if not keys or keys[:1] == b"q":
                return None
            if keys == b"\x1b[A":
                now["throttle"] = min(1.0, now["throttle"] + 0.15)
            elif keys == b"\x1b[B":
                now["brake"] = min(1.0, now["brake"] + 0.3)
            elif keys == b"\x1b[C":
                now["steering"] = max(-6.0, now["steering"] - 0.1)
            elif keys == b"\x1b[D":
                now["steering"] = min(6.0, now["steering"] + 0.1)
        return now


class View:
    """Draws the car from above in a terminal: chassis, heading and wheels, with a mark every 10 m."""

    ROWS, COLUMNS, METRES = 17, 72, 0.5  # m per column; a character is twice as high as wide

    def draw(self, t: float, poses: Poses, speed: float) -> None:
        grid = [[" "] * self.COLUMNS for _ in range(self.ROWS)]
        x0, y0 = poses[0, 0], poses[0, 1]

        def put(x: float, y: float, mark: str) -> None:
            column = self.COLUMNS // 2 + round((x - x0) / self.METRES)
            row = self.ROWS // 2 - round((y - y0) / (2 * self.METRES))
            if 0 <= column < self.COLUMNS and 0 <= row < self.ROWS:
                grid[row][column] = mark

        reach = self.COLUMNS * self.METRES / 2
        for x in range(math.ceil((x0 - reach) / 10) * 10, math.floor(x0 + reach) + 1, 10):
            for y in (-4, 0, 4):
                put(x, y, "+")
        e0, e1, e2, e3 = poses[0, 3:]
        heading = math.atan2(2 * (e1 * e2 + e0 * e3), 1 - 2 * (e2 * e2 + e3 * e3))
        for k in range(-4, 5):
            put(x0 + 0.5 * k * math.cos(heading), y0 + 0.5 * k * math.sin(heading), "#" if k < 4 else ">")
        for wheel in poses[1:]:
            put(wheel[0], wheel[1], "o")
        status = f"t {t:7.2f} s   x {x0:8.2f} m   y {y0:7.2f} m   {3.6 * speed:6.1f} km/h"
        sys.stdout.write("\x1b[H\x1b[2J" + "\n".join("".join(row) for row in grid) + "\n" + status + "\n")
        sys.stdout.flush()


class Renderer(threading.Thread):
    """Draws at its own rate, `delay` seconds behind the newest state, until `stop` is set."""

    def __init__(
        self, buffer: PoseBuffer, clock: SimulatedClock, file: TextIO | None, options: argparse.Namespace
    ) -> None:
        super().__init__(daemon=True)
        self.buffer, self.clock, self.file, self.options = buffer, clock, file, options
        self.failure: OSError | None = None
        self.stop = threading.Event()
        self.speed = 0.0
        self.answers: collections.Counter[str] = collections.Counter()

    def run(self) -> None:
        try:
            self._draw(self.file)
        except OSError as error:
            self.failure = error

    def _draw(self, file: TextIO | None) -> None:
        view = None if self.options.no_view else View()
        if file:
            file.write("t,x,y,z,e0,e1,e2,e3,wheel_e0,wheel_e2\n")
        next_picture = time.monotonic()
        while not self.stop.wait(max(0.0, next_picture - time.monotonic())):
            next_picture += 1 / self.options.rate
            t = self.clock.read() - self.options.delay
            poses, answer = self.buffer.at(t)
            if poses is None:
                continue
            self.answers[answer] += 1
            if file:
                values = [t, *poses[0], poses[1, 3], poses[1, 5]]
                file.write(",".join(f"{v:.8f}" for v in values) + "\n")
            if view:
                view.draw(t, poses, self.speed)
        if file:
            file.flush()


def opened(path: str) -> TextIO:
    """A file to write; ends the program if it cannot be written."""
    try:
        return open(path, "w")
    except OSError as error:
        raise SystemExit(f"cannot write {path!r}: {error.strerror}") from None


def simulate(client: tactus.Client, driver: Driver, file: TextIO | None, options: argparse.Namespace) -> None:
    """The loop of the simulator: for each frame the inputs of the driver for the next tick."""
    outputs = [f"{body}.{part}" for body in BODIES for part in PARTS] + ["speed"]
    buffer, clock = PoseBuffer(), SimulatedClock()
    renderer = Renderer(buffer, clock, file, options)
    received = held = missed = 0
    with client.create_session("sedan", period="1ms") as session:
        with session.tick(inputs=list(INPUTS), outputs=outputs) as stream:
            session.start()
            renderer.start()
            try:
                for frame in stream:
                    buffer.push(frame.sim_time, np.array(frame.values[:-1]).reshape(len(BODIES), len(PARTS)))
                    renderer.speed = float(frame.values[-1])
                    clock.frame(frame.sim_time)
                    received += 1
                    held += frame.input_age > 0
                    missed = frame.missed
                    values = driver.at(frame.sim_time)
                    if values is None or renderer.failure or 0 < options.duration <= frame.sim_time:
                        break
                    stream.send(values)
            except KeyboardInterrupt:
                pass
            finally:
                renderer.stop.set()
                renderer.join()
    if renderer.failure:
        raise SystemExit(f"simulator: the renderer failed: {renderer.failure.strerror}")
    answers = renderer.answers
    print(f"simulator: {received} frames received, {missed} missed, {held} ticks with a held input; "
          f"{sum(answers.values())} drawn, {answers['between']} between two frames, "
          f"{answers['too new']} after the newest frame, {answers['too old']} before the oldest one")


def main() -> None:
    parser = command_line.parser(__doc__)
    parser.add_argument("--inputs", metavar="FILE.csv", help="recorded driver instead of the keyboard")
    parser.add_argument("--duration", type=command_line.duration, default=0.0, help="simulated time (default: until q or Ctrl-C)")
    parser.add_argument("--rate", type=command_line.frequency, default="60Hz", help="pictures (default: %(default)s)")
    parser.add_argument("--delay", type=command_line.duration, default="20ms",
                        help="how far the picture is behind the newest state (default: %(default)s)")
    parser.add_argument("--no-view", action="store_true", help="compute every picture, draw none")
    parser.add_argument("--poses", metavar="FILE.csv", type=command_line.output,
                        help="write the poses, one line per picture")
    options = parser.parse_args()
    if not options.inputs and not sys.stdin.isatty():
        parser.error("standard input is no terminal; give --inputs")

    recorded = RecordedDriver(options.inputs) if options.inputs else None
    file = opened(options.poses) if options.poses else None
    try:
        with tactus.connect(options.server) as client:
            if recorded:
                simulate(client, recorded, file, options)
            else:
                with KeyboardDriver() as driver:
                    simulate(client, driver, file, options)
    finally:
        if file:
            with contextlib.suppress(OSError):  # the renderer has reported what it could not write
                file.close()


if __name__ == "__main__":
    command_line.run(main)
