#!/usr/bin/env python3
"""Drives a car through a manoeuvre in lockstep, prints its key figures, and plots it.

    step_steer      30 degrees at the steering wheel within 0.1 s, at 20 m/s
    lane_change     two consecutive lane changes of 3.5 m at 20 m/s, by a driver model that looks ahead
    brake_in_turn   full braking from 20 m/s while cornering
    bump            a half-cylinder of 0.1 m under the wheels of the hmmwv at 10 mph

In lockstep each input is one tick: the driver model answers every tick, and each run gives the same bits.
"""

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import command_line
import plotting
import tactus

TYRES = ("fl", "fr", "rl", "rr")
SEDAN_OUTPUTS = [
    "chassis.r.*", "chassis.p.*", "chassis.v.*", "speed", "yaw_rate", "head_*", "hub_*.rate", "tyre_*.load",
    "tyre_*.lateral", "tyre_*.longitudinal", "steering_torque", "steering_angle", "energy.total",
]
Data = dict[str, npt.NDArray[Any]]
NEUTRAL = {"steering": 0.0, "throttle": 0.0, "brake": 0.0, "gear_ratio": 1.4}


def yaw(frame: tactus.Frame) -> float:
    """Heading of the chassis, rad, positive to the left."""
    e0, e1, e2, e3 = (frame[f"chassis.p.e{i}"] for i in range(4))
    return math.atan2(2 * (e1 * e2 + e0 * e3), 1 - 2 * (e2 * e2 + e3 * e3))


def hold_speed(frame: tactus.Frame, wanted: float) -> float:
    """Throttle, 0 to 1, that holds a speed, m/s."""
    return min(1.0, max(0.0, 0.25 + 0.5 * (wanted - frame["speed"])))


class Manoeuvre(Protocol):
    """A model, where it starts, how long it drives, s, what it shows, and a driver."""

    model: str
    start: str
    duration: float
    outputs: list[str]

    def drive(self, t: float, frame: tactus.Frame) -> dict[str, float]:
        """Inputs of the tick after a frame at time t, s."""

    def report(self, data: Data) -> None:
        """Prints the key figures."""


class StepSteer(Manoeuvre):
    """A ramp of the steering wheel to an angle that is then held."""

    model, start, duration = "sedan", "", 6.0
    outputs = SEDAN_OUTPUTS
    angle, at, rise = math.radians(30), 1.0, 0.1

    def drive(self, t: float, frame: tactus.Frame) -> dict[str, float]:
        share = min(1.0, max(0.0, (t - self.at) / self.rise))
        return NEUTRAL | {"steering": self.angle * share, "throttle": hold_speed(frame, 20.0)}

    def report(self, data: Data) -> None:
        t, rate, lateral = data["sim_time"], data["yaw_rate"], data["head_y"]
        steady = rate[t > t[-1] - 1].mean()
        first = t[np.argmax(rate > 0.9 * steady)]
        print(f"yaw rate: steady {math.degrees(steady):.2f} deg/s, 90 % after {first - self.at:.3f} s, "
              f"overshoot {100 * (rate.max() / steady - 1):.1f} %")
        print(f"lateral acceleration at the driver's head: steady {lateral[t > t[-1] - 1].mean():.2f} m/s^2")


class LaneChange(Manoeuvre):
    """A lane change to the left and back. The driver model steers towards a point of the path ahead."""

    model, start, duration = "sedan", "", 8.0
    outputs = SEDAN_OUTPUTS
    look_ahead, gain = 0.7, 9.0  # s; rad at the steering wheel per rad of bearing error

    @staticmethod
    def path(x: float) -> float:
        def smooth(begin: float, length: float) -> float:
            s = min(1.0, max(0.0, (x - begin) / length))
            return s * s * s * (10 + s * (6 * s - 15))

        return 3.5 * (smooth(30, 25) - smooth(80, 25))

    def drive(self, t: float, frame: tactus.Frame) -> dict[str, float]:
        heading, distance = yaw(frame), self.look_ahead * max(frame["speed"], 5.0)
        x, y = frame["chassis.r.x"], frame["chassis.r.y"]
        ahead = x + distance * math.cos(heading)
        off = math.atan2(self.path(ahead) - y, distance) - heading
        return NEUTRAL | {"steering": max(-6.0, min(6.0, self.gain * off)), "throttle": hold_speed(frame, 20.0)}

    def report(self, data: Data) -> None:
        off = data["chassis.r.y"] - np.array([self.path(x) for x in data["chassis.r.x"]])
        print(f"distance from the path: maximum {np.abs(off).max():.2f} m, at the end {abs(off[-1]):.2f} m")
        print(f"lateral acceleration at the driver's head: maximum {np.abs(data['head_y']).max():.2f} m/s^2")


class BrakeInTurn(Manoeuvre):
    """Cornering, then full braking to standstill."""

    model, start, duration = "sedan", "", 7.0
    outputs = SEDAN_OUTPUTS
    at = 2.5

    def drive(self, t: float, frame: tactus.Frame) -> dict[str, float]:
        steering = math.radians(45) * min(1.0, t / 0.5)
        if t < self.at:
            return NEUTRAL | {"steering": steering, "throttle": hold_speed(frame, 20.0)}
        return NEUTRAL | {"steering": steering, "brake": min(1.0, (t - self.at) / 0.2), "gear_ratio": 0.0}

    def report(self, data: Data) -> None:
        t, speed = data["sim_time"], np.hypot(data["chassis.v.x"], data["chassis.v.y"])
        braking = t >= self.at
        way = np.hypot(np.diff(data["chassis.r.x"][braking]), np.diff(data["chassis.r.y"][braking])).sum()
        stands = t[braking][np.argmax(speed[braking] < 0.05)]
        print(f"stopping from {speed[braking][0]:.2f} m/s: {way:.2f} m in {stands - self.at:.2f} s")
        print(f"speed at the end: {speed[-1]:.2e} m/s")


class Bump(Manoeuvre):
    """The vehicle of the Rosenbrock-Nystrom paper [RN] over a bump."""

    model, start, duration = "hmmwv", "", 3.0
    outputs = ["chassis.r.*", "chassis_height", "pitch_rate", "driver_acceleration", "*.load", "energy.total"]

    def drive(self, t: float, frame: tactus.Frame) -> dict[str, float]:
        return {}

    def report(self, data: Data) -> None:
        height = data["chassis_height"]
        print(f"chassis: {1e3 * (height.max() - height[0]):.1f} mm up, {1e3 * (height[0] - height.min()):.1f} mm down")
        print(f"acceleration at the driver: {data['driver_acceleration'].min():.2f} to "
              f"{data['driver_acceleration'].max():.2f} m/s^2")


MANOEUVRES: dict[str, type[Manoeuvre]] = {"step_steer": StepSteer, "lane_change": LaneChange, "brake_in_turn": BrakeInTurn, "bump": Bump}


def run(client: tactus.Client, manoeuvre: Manoeuvre) -> tuple[Data, str]:
    """Runs a manoeuvre in a new session.

    Returns
    -------
    dict of str to numpy.ndarray, shape (number of ticks,)
        The frames as `tactus.Recorder.arrays` returns them.
    str
        State hash at the end.
    """
    recorder = tactus.Recorder()
    with client.create_session(
        manoeuvre.model, clock="lockstep", period="1ms", initial=manoeuvre.start
    ) as session:
        inputs = list(session.inputs)
        ticks = round(manoeuvre.duration * 1000)
        with session.tick(inputs=inputs, outputs=manoeuvre.outputs) as stream:
            frame = stream.step({name: value for name, value in NEUTRAL.items() if name in inputs})
            for _ in range(ticks - 1):
                recorder.add(frame)
                frame = stream.step(manoeuvre.drive(frame.sim_time, frame))
            recorder.add(frame)
        return recorder.arrays(), session.state_hash


def plot(path: str, title: str, data: Data, wished: Callable[[float], float] | None = None) -> None:
    """Plots signals over time, and the path from above beside the one that the driver model wants, y = wished(x)."""
    plt = plotting.pyplot()
    t = data["sim_time"]
    if "yaw_rate" in data:
        panels: list[tuple[str, list[tuple[str, float]]]] = [
            ("speed (m/s)", [("speed", 1)]),
            ("yaw rate (deg/s)", [("yaw_rate", 180 / math.pi)]),
            ("lateral acceleration\nat the head (m/s$^2$)", [("head_y", 1)]),
            ("load of the tyres (kN)", [(f"tyre_{n}.load", 1e-3) for n in TYRES]),
            ("lateral force (kN)", [(f"tyre_{n}.lateral", 1e-3) for n in TYRES]),
            ("steering wheel (deg)", [("steering_angle", 180 / math.pi)]),
            ("torque on the hands (N m)", [("steering_torque", 1)]),
        ]
    else:
        panels = [
            ("height (m)", [("chassis_height", 1)]),
            ("pitch rate (deg/s)", [("pitch_rate", 180 / math.pi)]),
            ("acceleration\nat the driver (m/s$^2$)", [("driver_acceleration", 1)]),
            ("load of the tyres (kN)", [(name, 1e-3) for name in data if name.endswith(".load")]),
        ]
    rows = (len(panels) + 2) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(11, 2.7 * rows), layout="constrained")
    figure.suptitle(title)
    places = list(axes.flat)
    for place, (label, lines) in zip(places, panels):
        for name, factor in lines:
            place.plot(t, factor * data[name], label=name)
        place.set_ylabel(label)
        place.set_xlabel("t (s)")
        place.grid(alpha=0.3)
        if len(lines) > 1:
            place.legend(fontsize="x-small")
    above = places[len(panels)]
    above.plot(data["chassis.r.x"], data["chassis.r.y"], label="driven")
    if wished is not None:
        above.plot(data["chassis.r.x"], [wished(x) for x in data["chassis.r.x"]], "--", label="wished")
        above.legend(fontsize="x-small")
    low, high = above.get_ylim()
    if high - low < 0.02:  # straight on: round-off is not drawn large
        above.set_ylim((low + high) / 2 - 0.01, (low + high) / 2 + 0.01)
    above.set_xlabel("x (m)")
    above.set_ylabel("y (m)")
    above.grid(alpha=0.3)
    for place in places[len(panels) + 1:]:
        place.set_visible(False)
    figure.savefig(path, dpi=100)
    print(f"plot: {path}")


def main() -> None:
    parser = command_line.parser(__doc__)
    parser.add_argument("manoeuvre", choices=sorted(MANOEUVRES))
    parser.add_argument("--plot", metavar="FILE", type=command_line.picture, help="picture to write, .png or .svg")
    options = parser.parse_args()

    manoeuvre = MANOEUVRES[options.manoeuvre]()
    with tactus.connect(options.server) as client:
        data, state_hash = run(client, manoeuvre)
    print(f"{options.manoeuvre}: {len(data['tick'])} ticks, state {state_hash}")
    manoeuvre.report(data)
    if options.plot:
        plot(options.plot, options.manoeuvre.replace("_", " "), data, getattr(manoeuvre, "path", None))


if __name__ == "__main__":
    command_line.run(main)
