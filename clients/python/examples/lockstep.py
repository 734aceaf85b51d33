"""Drives a mechanism in lockstep: one input is one tick, so the result does not depend on how fast anybody is."""

import argparse
import math
import sys

import tactus


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="127.0.0.1:50051", help="where the server listens")
    parser.add_argument("--model", default="motor_four_bar", help="model to run")
    parser.add_argument("--ticks", type=int, default=1000, help="ticks to run")
    parser.add_argument("--amplitude", type=float, default=1.0, help="of the input, in its unit")
    parser.add_argument("--frequency", type=float, default=0.5, help="of the sine, Hz")
    options = parser.parse_args()

    with tactus.connect(options.server) as client:
        with client.create_session(options.model, clock="lockstep") as session:
            motor = session.inputs[0]
            energy = 0.0

            # The input of tick n is the sine at the end of that tick: n periods, multiplied and not summed.
            with session.tick(inputs=[motor], outputs=["energy.total"]) as stream:
                for n in range(1, options.ticks + 1):
                    value = options.amplitude * math.sin(2.0 * math.pi * options.frequency * (n * stream.period))
                    energy = stream.step({motor: value})["energy.total"]

            status = session.status()
            print(f"ticks: {status.tick}")
            print(f"simulated time: {status.sim_time_ns * 1e-9:.9g} s")
            print(f"total energy: {energy:.17g} J")
            print(f"state hash: {status.state_hash}")


if __name__ == "__main__":
    try:
        main()
    except tactus.TactusError as error:
        print(error, file=sys.stderr)
        sys.exit(3 if isinstance(error, tactus.Unreachable) else 1)
