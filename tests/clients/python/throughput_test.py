"""A client in Python keeps up with a session at 1 kHz."""

import time

import pytest


@pytest.mark.slow
def test_a_thousand_frames_a_second_for_a_minute_without_a_gap(realtime):
    frames = 60_000
    gaps = 0
    before = realtime.timing()
    with realtime.observe(["*"], delivery="queue", queue_depth=4096, credit_window=256) as observation:
        first = last = observation.receive()
        started = time.monotonic()
        for frame in observation:
            gaps += frame.tick != last.tick + 1
            last = frame
            if frame.sequence == frames:
                break
        seconds = time.monotonic() - started
    after = realtime.timing()
    missed = after.missed_deadlines - before.missed_deadlines
    print(
        f"{frames} frames of {len(observation.layout)} signals in {seconds:.2f} s, {(frames - 1) / seconds:.1f} frames/s; "
        f"deadlines that the session missed meanwhile: {missed}"
    )
    assert (gaps, last.missed) == (0, 0)
    assert last.tick - first.tick == frames - 1
