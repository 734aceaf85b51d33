"""Drives a session in real time with a sine on one input, and plots what happened.

Python is a supervisor and not the 1 kHz writer: an input that comes late is no error, the tick holds the one before.
How often that was so is what the last of the three plots shows.
"""

import argparse
import math
import sys
import time

import numpy as np

import tactus


def find_session(client, name):
    """The session that was asked for, else the first that runs, else a new one."""
    if name:
        return client.session(name)
    running = client.sessions()
    if running:
        return client.session(running[0].name)
    session = client.create_session("motor_four_bar")
    session.start()
    return session


def drive(session, motor, options):
    """Answers every frame with the input for the next tick, until the time is over, the server stops or Ctrl-C.

    Returns
    -------
    tactus.Recorder
        The frames from the first one on that used an input of this stream.
    numpy.ndarray
        Round trip from sending an input to the first frame that used it, s.
    """
    recorder = tactus.Recorder()
    sent_at = {}
    round_trips = []
    end = time.monotonic() + options.duration
    try:
        with session.tick(inputs=[motor], outputs=options.outputs) as stream:
            for frame in stream:
                now = time.monotonic()
                if now >= end:
                    break
                phase = 2.0 * math.pi * options.frequency * (frame.tick + 1) * stream.period
                sent_at[stream.send({motor: options.amplitude * math.sin(phase)})] = now

                # The first frame that used an input closes its round trip; inputs before it were superseded.
                if frame.input_sequence in sent_at:
                    round_trips.append(now - sent_at[frame.input_sequence])
                    for sequence in [s for s in sent_at if s <= frame.input_sequence]:
                        del sent_at[sequence]

                # The run begins with the first tick that used an input of ours.
                if round_trips:
                    recorder.add(frame)
    except KeyboardInterrupt:
        pass
    return recorder, np.array(round_trips)


def report(data, round_trips):
    """Prints what the loop was like."""
    frames = len(data["tick"])
    if not frames:
        print("drive: the session did not tick")
        return
    first, last, missed = data["tick"][0], data["tick"][-1], data["missed"][-1]
    print(f"drive: ticks {first} to {last}, frames received {frames}, missed {missed}")
    print(f"input age (ticks): mean {data['input_age'].mean():.3f}, max {data['input_age'].max()}")
    if len(round_trips):
        points = np.percentile(round_trips * 1e6, [50, 99, 99.9, 100])
        print("input -> frame (us): p50 {:.0f}  p99 {:.0f}  p99.9 {:.0f}  max {:.0f}".format(*points))


def plot(path, data, motor, angle):
    """Torque, angle and input age over simulated time."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    t = data["sim_time"]
    figure, (top, middle, bottom) = plt.subplots(3, 1, sharex=True, figsize=(9, 7), layout="constrained")
    figure.suptitle(f"{len(t)} frames received, {data['missed'][-1]} missed")
    top.plot(t, data[motor], color="tab:red")
    top.set_ylabel(f"{motor} (N m)")
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="127.0.0.1:50051", help="where the server listens")
    parser.add_argument("--session", help="session to drive; default: the first, or a new motor_four_bar")
    parser.add_argument("--outputs", nargs="+", default=["*"], help="signals to read, names or globs")
    parser.add_argument("--amplitude", type=float, default=1.0, help="of the input, in its unit")
    parser.add_argument("--frequency", type=float, default=0.5, help="of the sine, Hz")
    parser.add_argument("--duration", type=float, default=10.0, help="how long to drive, s")
    parser.add_argument("--plot", metavar="FILE.png", help="plot torque, angle and input age")
    parser.add_argument("--csv", metavar="FILE.csv", help="write every frame")
    options = parser.parse_args()

    with tactus.connect(options.server) as client, find_session(client, options.session) as session:
        motor = session.inputs[0]
        recorder, round_trips = drive(session, motor, options)
        data = recorder.arrays()
        report(data, round_trips)
        if options.csv and len(recorder):
            recorder.to_csv(options.csv)
        if options.plot and len(recorder):
            plot(options.plot, data, motor, next(name for name in data if name.endswith(".angle")))


if __name__ == "__main__":
    try:
        main()
    except tactus.TactusError as error:
        print(error, file=sys.stderr)
        sys.exit(3 if isinstance(error, tactus.Unreachable) else 1)
