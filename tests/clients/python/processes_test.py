"""Processes that are forked with an open connection, and threads that read one stream, are told what does not work."""
# Covers: clients/python/tactus/forked.py, clients/python/tactus/transport.py, clients/python/tactus/stream.py

import asyncio
import os
import subprocess
import sys
import threading

import pytest

import tactus
import tactus.aio

FORKING = """
import os, sys, tactus

def tried(call):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        call()
    except RuntimeError as error:
        os._exit(3 if "spawn" in str(error) else 4)
    except BaseException:
        os._exit(5)
    os._exit(0)

def connect():
    with tactus.connect(sys.argv[1]) as client:
        client.models()

print(tried(connect))   # no connection yet
connect()
print(tried(connect))   # one that is closed
client = tactus.connect(sys.argv[1])
print(tried(connect), tried(client.models))
print(len(client.models()) > 0)
"""


def test_a_process_that_was_forked_with_an_open_connection_is_told(address):
    done = subprocess.run([sys.executable, "-B", "-c", FORKING, address], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["0", "0", "3", "3", "True"], done.stderr


def test_a_second_reader_of_a_stream_is_told_and_the_first_goes_on(lockstep):
    with lockstep.tick(inputs=["motor"], outputs=["motor"]) as stream:
        frames = []
        reader = threading.Thread(target=lambda: frames.append(stream.receive()))
        reader.start()
        while not stream._reading.locked():
            os.sched_yield()
        with pytest.raises(RuntimeError, match="one thread or task at a time"):
            stream.receive()
        stream.send([0.5])
        reader.join(60)
        assert frames[0]["motor"] == 0.5 and stream.step([0.6])["motor"] == 0.6


def test_a_second_task_that_reads_a_stream_is_told(address):
    async def main():
        async with tactus.aio.connect(address) as client:
            async with client.create_session("motor_four_bar", clock="lockstep") as session:
                async with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
                    reader = asyncio.create_task(stream.receive())
                    while not stream._reading.locked():
                        await asyncio.sleep(0)
                    with pytest.raises(RuntimeError, match="one thread or task at a time"):
                        await stream.receive()
                    stream.send([0.5])
                    assert (await reader)["motor"] == 0.5

    asyncio.run(asyncio.wait_for(main(), 60))
