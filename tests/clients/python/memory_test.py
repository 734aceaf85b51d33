"""The memory of the server does not grow with what a slow reader has not read."""
# Covers: server/stream/state_streamer.cpp, server/service/stream_calls.cpp

import re

import pytest
from conftest import IS_SANITIZED, Server

import tactus

QUEUE = 64


def resident_kib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1])


@pytest.mark.skipif(IS_SANITIZED, reason="a sanitizer holds freed memory back")
def test_a_reader_that_never_reads_costs_its_queue_and_no_more(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "--clock", "lockstep") as server:
        with tactus.connect(server.address) as client:
            with client.create_session("chain:n=64", clock="lockstep") as session:
                with (
                    session.observe(["*"], delivery="queue", queue_depth=QUEUE, credit_window=0) as stalled,
                    session.observe(["energy.total"], delivery="queue", queue_depth=QUEUE) as reading,
                ):
                    frame_bytes = 8 * len(stalled.layout.names)

                    def run(ticks):
                        """Ticks in steps that the reader beside it can follow; what is due to both is handled by then."""
                        for _ in range(ticks // 20):
                            session.step(20)
                            newest = session.status().tick
                            while reading.receive().tick < newest:
                                pass

                    # The queue and the buffers of the connection are full after these.
                    run(2000)
                    full = resident_kib(server.process)
                    run(8000)
                    grown = 1024 * (resident_kib(server.process) - full)
                    frames = [stalled.receive() for _ in range(2)]
                    assert [frame.sequence for frame in frames] == [1, 2]
                    # Every frame kept would be all of it; a tenth leaves room for the allocator, and none for frames.
                    due = 8000 * frame_bytes
                    assert due > 30e6
                    assert grown < 0.1 * due, f"{grown} bytes for {due} bytes of frames"
