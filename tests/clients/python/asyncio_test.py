"""The asyncio client has the verbs, the bits and the errors of the blocking one."""
# Covers: clients/python/generate_aio.py, clients/python/tactus/aio/__init__.py, clients/python/tactus/aio/opening.py
# Covers: clients/python/tactus/aio/transport.py, clients/python/tactus/transport.py

import asyncio
import inspect
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import tactus
import tactus.aio
from conftest import Server

MOTOR = {"model": "motor_four_bar", "clock": "lockstep", "period": "1ms"}


def run(main, address, **options):
    """The result of a coroutine function that gets a client."""

    async def connected():
        async with tactus.aio.connect(address, **options) as client:
            return await asyncio.wait_for(main(client), 60)

    return asyncio.run(connected())


@pytest.mark.parametrize("name", ["Client", "Session", "TickStream", "Observation"])
def test_each_verb_has_a_twin_with_the_same_arguments(name):
    blocking, twin = getattr(tactus, name), getattr(tactus.aio, name)
    verbs = [verb for kind in blocking.__mro__[:2] for verb in vars(kind) if not verb.startswith("_")]
    assert len(verbs) >= 2
    for verb in verbs:
        ours, theirs = inspect.getattr_static(blocking, verb), inspect.getattr_static(twin, verb)
        if not isinstance(ours, property):
            assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
            # The example is that of asyncio, which public_names_test.py runs.
            assert ">>>" not in ours.__doc__ or "asyncio.run(main())" in theirs.__doc__
            assert theirs.__doc__.count("async with tactus.connect") == 0


def test_steps_blocks_and_properties_have_the_values_of_the_blocking_client(client, address):
    torque = np.sin(0.02 * np.arange(200))

    async def twin(connected):
        async with connected.create_session(**MOTOR) as session:
            async with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
                frames = [await stream.step([value]) for value in torque]
            block = await session.run(200, inputs={"motor": torque}, outputs=["energy.*"], every=20)
            assert (await session.units)["crank_angle"] == block.to_dataframe().attrs["units"]["sim_time"].replace("s", "rad")
            return [frame["crank_angle"] for frame in frames], block.values, await session.state_hash, await session.state

    with client.create_session(**MOTOR) as session:
        with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
            angles = [stream.step([value])["crank_angle"] for value in torque]
        block = session.run(200, inputs={"motor": torque}, outputs=["energy.*"], every=20)
        expected = angles, block.values, session.state_hash, session.state
    found = run(twin, address)
    assert found[0] == expected[0] and found[2:] == expected[2:]
    assert np.array_equal(found[1], expected[1])


def test_a_signal_is_read_by_its_name_an_interrupted_download_continues_and_a_closed_connection_says_so(address, tmp_path):
    path = tmp_path / "run.mcap"

    async def twin(connected):
        async with connected.create_session(**MOTOR) as session:
            assert await session["crank_angle"] == (await session.read("crank_angle"))["crank_angle"]
            with pytest.raises(TypeError):  # nothing of the session can be waited for in it
                "crank_angle" in session
            name = (await session.record("*")).name
            await session.run(100)
            await connected.stop_recording(name)
        size = await connected.download_recording(name, path)
        whole = path.read_bytes()
        path.write_bytes(whole[: size // 2])
        assert await connected.download_recording(name, path) == size and path.read_bytes() == whole
        path.write_bytes(b"my notes")
        with pytest.raises(FileExistsError, match="run.mcap is not the beginning"):
            await connected.download_recording(name, path)
        return connected

    async def closed():
        async with tactus.aio.connect(address) as client:
            await twin(client)
        for call in (client.info, lambda: client.download_recording("r", tmp_path / "r.mcap")):
            with pytest.raises(ValueError, match="the connection is closed; call"):
                await call()

    asyncio.run(closed())


def test_a_stream_in_real_time_drives_records_and_ends(address):
    async def main(connected):
        async with connected.create_session(**MOTOR | {"clock": "real-time"}, miss_limit=0) as session:
            recorder = tactus.Recorder(units=await session.units)
            await session.start()
            async with session.tick(inputs=["motor"]) as stream:
                async for frame in stream:
                    stream.send({"motor": -0.1 * frame["crank_rate"]})
                    recorder.add(frame)
                    if len(recorder) == 50:
                        break
            return recorder.to_dataframe()

    data = run(main, address)
    assert len(data) == 50 and data.attrs["units"]["crank_rate"] == "rad/s"
    assert data["input_sequence"].iloc[-1] > 0


def test_sessions_of_one_loop_run_side_by_side(address):
    async def one(connected, ticks):
        async with connected.create_session(**MOTOR) as session:
            async with session.tick(outputs=["energy.total"]) as stream:
                for _ in range(ticks):
                    frame = await stream.step({"motor": 1.0})
                return frame.tick

    async def main(connected):
        return await asyncio.gather(*(one(connected, 20 + i) for i in range(8)))

    assert run(main, address) == list(range(20, 28))


def test_a_cancelled_reader_ends_and_a_cancelled_task_stays_cancelled(address):
    async def main(connected):
        async with connected.create_session(**MOTOR) as session, session.observe() as paused:
            await paused.receive()  # that of tick 0
            waiting = asyncio.create_task(paused.receive())
            await asyncio.sleep(0.05)
            paused.cancel()
            assert await waiting is None
            async with session.observe() as other:
                await other.receive()
                waiting = asyncio.create_task(other.receive())
                await asyncio.sleep(0.05)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting

    run(main, address)


def test_a_reader_that_waits_no_longer_leaves_the_stream_to_the_next_one(address):
    async def main(connected):
        async with connected.create_session(**MOTOR) as session, session.observe("motor", delivery="queue") as paused:
            await paused.receive()  # that of tick 0
            for _ in range(2):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(paused.receive(), 0.05)
            await session.step(2)
            ticks = [(await paused.receive()).tick, (await asyncio.wait_for(paused.receive(), 30)).tick]
            waiting = asyncio.create_task(paused.receive())
            await asyncio.sleep(0)
            paused.cancel()
            return ticks, await waiting

    assert run(main, address) == ([1, 2], None)


def test_the_stream_of_a_cancelled_driver_ends_in_order(address):
    async def drive(session, driving):
        async with session.tick(inputs=["throttle"], outputs=["throttle"]) as stream:
            await stream.step([0.5])
            driving.set()
            await stream.receive()  # of a tick that nobody makes

    async def main(connected):
        async with connected.create_session("sedan", clock="lockstep", miss_limit=2) as session:
            driving = asyncio.Event()
            driver = asyncio.create_task(drive(session, driving))
            await driving.wait()
            await asyncio.sleep(0.05)  # it waits for a frame, in most runs: the other case is the easier one
            driver.cancel()
            with pytest.raises(asyncio.CancelledError):
                await driver
            await session.step(5)  # more than the limit: the inputs are in the safe state
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # a stream after one that was lost warns
                async with session.tick(inputs=["throttle"], outputs=["throttle"]) as stream:
                    return (await stream.step([0.25]))["throttle"]

    assert run(main, address) == 0.25


def test_errors_are_those_of_the_blocking_client(address, tmp_path):
    async def main(connected):
        with pytest.raises(tactus.ModelUnknown, match="four_bar"):
            await connected.create_session("four_baz")
        with pytest.raises(TypeError, match="threads='2' is of type str; give a whole number"):
            await connected.create_session("four_bar", threads="2")
        async with connected.create_session(**MOTOR) as session:
            with pytest.raises(tactus.SignalUnknown, match="crank_angle"):
                await session.read("crank_angel")
            async with session.tick(inputs=["motor"]) as stream:
                with pytest.raises(tactus.NotFinite):
                    await stream.step([float("nan")])
                with pytest.raises(tactus.LeaseHeld):
                    await session.tick(inputs=["motor"])
                assert (await stream.step([1.0])).tick == 1

    run(main, address)
    with pytest.raises(tactus.Unreachable, match="tactus serve"):
        run(main, f"unix:{tmp_path}/nobody.sock")


def test_a_safe_state_is_a_warning_at_the_line_of_the_program(address):
    async def main(connected):
        async with connected.create_session(**MOTOR) as session:
            await session.enter_safe_state()
            await session.step()
            with pytest.warns(tactus.SafeStateWarning, match="clear_safe_state|leave") as warned:
                async with session.tick(inputs=["motor"]):
                    pass
            return warned[0].filename

    assert run(main, address).endswith(("asyncio_test.py", "opening.py"))


def test_a_server_that_starts_later_is_waited_for(tmp_path):
    address = f"unix:{tmp_path}/late.sock"
    servers = []
    timer = threading.Timer(0.3, lambda: servers.append(Server(address)))
    timer.start()

    async def main(connected):
        return (await connected.info()).version

    try:
        assert run(main, address, wait="30s")
    finally:
        timer.join()
        servers[0].kill()


def test_ctrl_c_closes_the_stream_in_order(client, address):
    program = f"""
import asyncio, tactus.aio
async def main():
    async with tactus.aio.connect({address!r}) as client:
        session = await client.session("ctrl-c")
        async with session.tick(inputs=["motor"]) as stream:
            print("open", flush=True)
            async for frame in stream:
                stream.send([0.1])
asyncio.run(main())
"""
    with client.create_session(**MOTOR | {"clock": "real-time", "name": "ctrl-c"}) as session:
        session.start()
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            assert process.stdout.readline() == "open\n"
            process.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in process.communicate(timeout=60)[1]
        # In order: the next controller drives at once.
        with session.tick(inputs=["motor"]) as stream:
            stream.send([0.2])
            assert any(frame.input_sequence == 1 for frame, _ in zip(stream, range(200)))


def test_a_token_travels_with_every_kind_of_call(address):
    async def main(connected):
        async with connected.create_session(**MOTOR) as session:
            async with session.tick(inputs=["motor"]) as stream:
                await stream.step([1.0])
            async with session.observe() as frames:
                await session.step()
                await frames.receive()
            return len(await session.run(3, outputs=["energy.total"]))

    assert run(main, address, token="anything") == 3
