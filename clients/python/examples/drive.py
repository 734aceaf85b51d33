#!/usr/bin/env python3
"""Drives a session in real time with a sine on one input, and plots torque, angle and input age.

Python does not answer every tick at 1 kHz in time. A late input is no error: the tick holds the input before it. The
third plot shows the age of the input at each tick.
"""

import argparse
import contextlib
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

import command_line
import plotting
import tactus
from tactus.v1 import simulation_pb2

LATE = 1.0  # after the duration, a stream without frames is ended, s

Data = dict[str, npt.NDArray[Any]]


def find_session(client: tactus.Client, name: str | None) -> tactus.Session:
    """The named session; without a name the first session of the server, or else a new one."""
    if name:
        return client.session(name)
    running = client.sessions()
    if running:
        return client.session(running[0].name)
    session = client.create_session("motor_four_bar")
    session.start()
    return session


def require_ticks(session: tactus.Session) -> None:
    """Ends the program for a session in lockstep, which waits for inputs as this program waits for ticks."""
    if session.status().clock == simulation_pb2.CLOCK_MODE_LOCKSTEP:
        raise SystemExit(f"drive: session {session.name} is in lockstep: each tick waits for an input, and this program waits for "
                         "ticks; run lockstep.py, or make a session that ticks by itself: tactus session create MODEL "
                         "--clock real-time --start")


def first_angle(session: tactus.Session) -> str:
    """The first joint angle among the signals of a session; ends the program if there is none."""
    for signal in session.signals():
        if signal.name.endswith(".angle"):
            return signal.name
    raise SystemExit(f"session {session.name!r} has no signal *.angle to plot; leave out --plot")


def drive(
    session: tactus.Session, motor: str, outputs: list[str], options: argparse.Namespace
) -> tuple[tactus.Recorder, npt.NDArray[np.float64], int]:
    """Answers every frame with the input for the next tick, until the duration ends, the server stops, or Ctrl-C.

    Returns
    -------
    tactus.Recorder
        The frames from the first one that used an input of this stream.
    numpy.ndarray, shape (number of round trips,)
        Round trip from sending an input to the first frame that used it, s.
    int
        Number of all frames, those before the first recorded one included.
    """
    recorder = tactus.Recorder()
    sent_at: dict[int, float] = {}
    round_trips = []
    frames = 0
    end = time.monotonic() + options.duration
    try:
        with session.tick(inputs=[motor], outputs=outputs) as stream, ended_after(options.duration + LATE, stream):
            for frame in stream:
                frames += 1
                now = time.monotonic()
                if now >= end:
                    break
                phase = 2.0 * math.pi * options.frequency * (frame.tick + 1) * stream.period
                sent_at[stream.send({motor: options.amplitude * math.sin(phase)})] = now

                # The first frame that used an input ends its round trip. Newer inputs replaced the inputs before it.
                if frame.input_sequence in sent_at:
                    round_trips.append(now - sent_at[frame.input_sequence])
                    for sequence in [s for s in sent_at if s <= frame.input_sequence]:
                        del sent_at[sequence]

                # The recording begins with the first tick that used an input of this stream.
                if round_trips:
                    recorder.add(frame)
    except KeyboardInterrupt:
        pass
    return recorder, np.array(round_trips), frames


@contextlib.contextmanager
def ended_after(seconds: float, stream: tactus.TickStream) -> Iterator[None]:
    """Ends a stream although no frame comes, as of a session that is paused."""
    timer = threading.Timer(seconds, stream.cancel)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def missed_frames(data: Data) -> int:
    """Frames missed between the first one that was recorded and the last."""
    return int(data["missed"][-1] - data["missed"][0])


def report(data: Data, round_trips: npt.NDArray[np.float64]) -> None:
    """Prints received and missed frames, input age and round trips."""
    frames = len(data["tick"])
    first, last = data["tick"][0], data["tick"][-1]
    print(f"drive: ticks {first} to {last}, frames received {frames}, missed {missed_frames(data)}")
    print(f"input age (ticks): mean {data['input_age'].mean():.3f}, max {data['input_age'].max()}")
    if len(round_trips):
        points = np.percentile(round_trips * 1e6, [50, 99, 99.9, 100])
        print("input -> frame (us): p50 {:.0f}  p99 {:.0f}  p99.9 {:.0f}  max {:.0f}".format(*points))


def plot(path: str, data: Data, label: str, motor: str, angle: str) -> None:
    """The input with its label, angle and input age over simulated time."""
    plt = plotting.pyplot()
    t = data["sim_time"]
    figure, (top, middle, bottom) = plt.subplots(3, 1, sharex=True, figsize=(9, 7), layout="constrained")
    figure.suptitle(f"{len(t)} frames received, {missed_frames(data)} missed")
    top.plot(t, data[motor], color="tab:red")
    top.set_ylabel(label)
    middle.plot(t, data[angle], color="tab:blue")
    middle.set_ylabel(f"{angle} (rad)")
    bottom.plot(t, data["input_age"], color="tab:gray", drawstyle="steps-post")
    bottom.set_ylabel("input age (ticks)")
    bottom.set_ylim(bottom=0)
    bottom.set_xlabel("simulated time (s)")
    for axes in (top, middle, bottom):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    print(f"plot: {path}")


def main() -> None:
    parser = command_line.parser(__doc__)
    parser.add_argument("--session", help="session to drive (default: the first one, or a new motor_four_bar)")
    parser.add_argument("--outputs", nargs="+", default=["*"], help="signals to read, names or globs (default: all)")
    parser.add_argument("--amplitude", type=float, default=1.0, help="amplitude, in the unit of the input")
    parser.add_argument("--frequency", type=command_line.frequency, default="0.5Hz", help="sine (default: %(default)s)")
    parser.add_argument("--duration", type=command_line.duration, default="10s", help="time (default: %(default)s)")
    parser.add_argument("--plot", metavar="FILE.png", type=command_line.picture,
                        help="plot torque, angle and input age; adds the signals")
    parser.add_argument("--csv", metavar="FILE.csv", type=command_line.output, help="write every frame")
    options = parser.parse_args()

    with tactus.connect(options.server) as client, find_session(client, options.session) as session:
        motor = command_line.first_input(session)
        require_ticks(session)
        angle = first_angle(session) if options.plot else ""
        outputs = [*options.outputs, motor, angle] if options.plot else options.outputs
        recorder, round_trips, frames = drive(session, motor, outputs, options)
        if not frames:
            raise SystemExit(f"drive: the session did not tick; start it with: tactus session start {session.name}")
        if not len(recorder):
            raise SystemExit(f"drive: no input was used in {frames} ticks; if the session is in its safe state, leave it with: "
                             f"tactus clear --session {session.name}")
        data = recorder.arrays()
        report(data, round_trips)
        if options.csv:
            recorder.to_csv(options.csv)
        if options.plot:
            plot(options.plot, data, f"{motor} ({session.units[motor]})", motor, angle)


if __name__ == "__main__":
    command_line.run(main)
