#!/usr/bin/env python3
"""Drives a mechanism in lockstep with a sine on its first input.

Each input is one tick, so the result does not depend on the speed of the client, the network or the server.
"""

import math

import command_line
import tactus


def main() -> None:
    parser = command_line.parser(__doc__)
    parser.add_argument("--model", default="motor_four_bar", help="model to run (default: %(default)s)")
    parser.add_argument("--ticks", type=command_line.number, default=1000, help="number of ticks (default: %(default)s)")
    parser.add_argument("--amplitude", type=float, default=1.0, help="amplitude, in the unit of the input")
    parser.add_argument("--frequency", type=command_line.frequency, default="0.5Hz", help="sine (default: %(default)s)")
    options = parser.parse_args()

    with tactus.connect(options.server) as client:
        with client.create_session(options.model, clock="lockstep") as session:
            motor = command_line.first_input(session)
            energy = 0.0

            # The input of tick n is the sine at the end of this tick. The time is n periods, multiplied and not summed.
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
    command_line.run(main)
