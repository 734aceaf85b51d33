"""Where a word of asyncio is missing, or one too many, the client for asyncio says which; nothing hangs and nothing is lost."""
# Covers: clients/python/generate_aio.py, clients/python/tactus/aio/opening.py, clients/python/tactus/check.py
# Covers: clients/python/tactus/stream.py

import asyncio
import gc
import warnings

import pytest

import tactus
import tactus.aio

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
