"""Where a word of asyncio is missing, or one too many, the client for asyncio says which; nothing hangs and nothing is lost."""
# Covers: clients/python/generate_aio.py, clients/python/tactus/aio/opening.py, clients/python/tactus/check.py
# Covers: clients/python/tactus/stream.py, clients/python/tactus/aio/transport.py, clients/python/tactus/tick_stream.py

import asyncio
import contextlib
import copy
import gc
import pickle
import threading
import warnings

import pytest

import tactus
import tactus.aio
from tactus.v1 import simulation_pb2

MOTOR = {"model": "motor_four_bar", "clock": "lockstep", "period": "1ms"}


def run(main, address):
    """Runs a coroutine function with a client and a session of it; a coroutine that nobody awaits is an error."""

    async def connected():
        async with tactus.aio.connect(address) as client, client.create_session(**MOTOR) as session:
            await asyncio.wait_for(main(client, session), 60)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(connected())
        gc.collect()


def test_what_is_not_opened_yet_says_how_it_is_opened(address):
    async def main(client, session):
        for name, opening in (("connect", lambda: tactus.aio.connect(address)), ("tick", session.tick),
                              ("create_session", lambda: client.create_session(**MOTOR)), ("observe", lambda: session.observe("*"))):
            hint = rf"write `async with {name}\(...\) as x`, or `x = await {name}\(...\)`"
            with pytest.raises(AttributeError, match=f"has no start: {hint}"):
                opening().start()
            with pytest.raises(TypeError, match=f"not entered by `with`: {hint}"):
                with opening():
                    pass
            with pytest.raises(TypeError, match=hint):
                list(opening())
            with pytest.raises(TypeError, match=hint):
                async for _ in opening():
                    pass
        stream = session.tick()
        assert repr(stream) == "<tick(...), not awaited>"
        await (await stream).close()
        with pytest.raises(RuntimeError, match="tick.* was awaited before"):
            await stream

    run(main, address)


def test_with_for_and_in_name_the_word_of_asyncio(address):
    async def main(client, session):
        async with session.tick(inputs=["motor"]) as stream:
            for found in (client, session, stream):
                with pytest.raises(TypeError, match="entered by `async with`, not by `with`"):
                    with found:
                        pass
            with pytest.raises(TypeError, match="read by `async for`, not by `for`"):
                list(stream)
        for found in (client, session):
            with pytest.raises(TypeError, match="cannot be iterated over"):
                list(found)  # by its index it would never end
        with pytest.raises(TypeError, match="`in` cannot wait"):
            "crank_angle" in session

    run(main, address)


def test_what_does_not_wait_may_be_awaited(address):
    async def main(client, session):
        async with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
            assert [stream.send([0.5]), await stream.send([1.0])] == [1, 2]
            assert [(await stream.receive())["motor"] for _ in range(2)] == [0.5, 1.0]
            assert await stream.cancel() is None
            assert await stream.receive() is None
            assert await stream.send([1.0]) in (0, 3)  # none once the end is known
        async with session.observe("*") as frames:
            await frames.cancel()

    run(main, address)


def test_a_coroutine_in_place_of_its_result_is_told(address):
    async def main(client, session):
        for call in (lambda: client.load_model(client.model("sedan")), lambda: session.run(1, inputs=session.read("*")),
                     lambda: session.restore_snapshot(session.save_snapshot()), lambda: session.read(session.state),
                     lambda: client.create_session(client.model("sedan")), lambda: client.session(session.state)):
            with pytest.raises(TypeError, match="a coroutine that was not awaited: write `await` before the call of"):
                await call()

    run(main, address)


async def deaf(notice):
    """Would never run."""


@pytest.mark.parametrize("on_notice", [5, "print", deaf])
def test_a_handler_of_notices_that_cannot_be_called_is_refused(on_notice, address, lockstep):
    for call in (lambda: lockstep.tick(on_notice=on_notice), lambda: lockstep.observe("*", on_notice=on_notice)):
        with pytest.raises(TypeError, match="on_notice=.*; give a plain function"):
            call()

    async def main(client, session):
        with pytest.raises(TypeError, match="on_notice=.*; give a plain function"):
            await session.tick(on_notice=on_notice)

    run(main, address)


def test_a_session_of_asyncio_in_a_recorder_is_told(address):
    async def main(client, session):
        with pytest.raises(TypeError, match="units=await session.units"):
            tactus.Recorder(session)

    run(main, address)


OTHER_LOOP = r"belongs to another event loop, .*open a connection in each event loop, by `async with tactus.aio.connect\(...\)`"


@contextlib.contextmanager
def loop_in_a_thread():
    """An event loop that runs beside the test."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def calls_in_another_loop(client, session, stream, frames):
    """What must be refused, each as a coroutine function."""

    async def awaited(call):
        return await call()

    async def entered(call):
        async with call() as found:
            return found

    async def sent():
        return stream.send([1.0])

    return [lambda call=call: awaited(call) for call in (
        client.info, session.status, lambda: session.run(5, outputs="*"), lambda: session.run(5000, outputs="*"), session.tick,
        session.observe, lambda: client.create_session(**MOTOR), lambda: client.open("1s"), lambda: stream.step([1.0]),
        stream.receive, stream.close, frames.receive, session.delete, lambda: client.download_recording("any", "/tmp/never"),
        lambda: client.stub.ListModels(simulation_pb2.ListModelsRequest()))] + [sent, lambda: entered(session.tick)]


def opened(address):
    """Coroutine function: a client, a session of it, and a stream of each kind."""

    async def main():
        client = await tactus.aio.connect(address)
        session = await client.create_session(**MOTOR)
        return client, session, await session.tick(inputs=["motor"], outputs=["motor"]), await session.observe("motor")

    return main


async def close(client, session, stream, frames):
    await stream.close()
    await frames.close()
    await session.delete()
    await client.close()


def refuses(call):
    """Whether each call in a new event loop is refused at once."""
    with pytest.raises(RuntimeError, match=OTHER_LOOP):
        asyncio.run(asyncio.wait_for(call(), 30))


# gRPC has one watcher of its events for all loops of a process, which complains of loops that have ended.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_calls_in_another_loop_than_that_of_the_connection_are_refused_and_the_first_loop_goes_on(address):
    with loop_in_a_thread() as loop:
        def there(coroutine):
            return asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)

        found = client, session, stream, frames = there(opened(address)())
        for call in (*calls_in_another_loop(*found), client.close, frames.close):
            refuses(call)
        with pytest.raises(RuntimeError, match=OTHER_LOOP):
            stream.send([1.0])  # no loop at all
        assert there(stream.step([0.5]))["motor"] == 0.5
        there(close(*found))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_calls_after_the_end_of_the_loop_are_refused_and_the_connection_can_be_closed(address):
    found = client, session, stream, frames = asyncio.run(opened(address)())
    for call in calls_in_another_loop(*found):
        refuses(call)

    async def end():
        await frames.close()
        await client.close()

    asyncio.run(asyncio.wait_for(end(), 30))
    with tactus.connect(address) as other:
        other.session(session.name).delete()


def test_a_client_that_is_made_where_no_loop_runs_is_refused(address):
    with pytest.raises(RuntimeError, match="no event loop runs here.*async with tactus.aio.connect"):
        tactus.aio.Client(address)


def test_a_control_stream_that_cannot_read_its_inputs_releases_them(address):
    async def main(client, session):
        read = session.read
        session.read = refused
        with pytest.raises(ZeroDivisionError):
            await session.tick(inputs=["motor"])
        session.read = read
        while True:  # until the server has seen the cancellation; the test has a time limit
            try:
                async with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
                    assert (await stream.step([0.5]))["motor"] == 0.5
                return
            except tactus.LeaseHeld:
                await asyncio.sleep(0.01)

    async def refused(*names):
        raise ZeroDivisionError

    run(main, address)


def test_what_is_not_opened_yet_is_not_copied(address):
    async def main(client, session):
        opening = session.tick()
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=r"tick\(...\) cannot be copied or pickled"):
                call(opening)
        async with opening as stream:
            with pytest.raises(TypeError, match="this TickStream cannot be copied or pickled"):
                copy.copy(stream)

    run(main, address)
