"""The client for asyncio: the verbs of the blocking client, awaited.

>>> import asyncio
>>> import tactus.aio
>>> async def main():
...     async with tactus.aio.connect("127.0.0.1:50051") as client:
...         async with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
...             async with session.tick(inputs=["motor"], outputs=["*"]) as stream:
...                 frame = await stream.step({"motor": 1.0})
...                 return frame.tick
>>> asyncio.run(main())
1

What a blocking method returns its twin returns when awaited; an iterator is one for ``async for``. `TickStream.send` and
`cancel` do not wait: they are plain calls, and may be awaited. Properties that ask the server are awaited: ``await session.state``. All objects belong to the event loop in which they were made.
"""

from tactus.aio.client import Client
from tactus.aio.connection import connect
from tactus.aio.observation import Observation
from tactus.aio.opening import Opening
from tactus.aio.session import Session
from tactus.aio.tick_stream import TickStream

__all__ = ["Client", "Observation", "Opening", "Session", "TickStream", "connect"]
