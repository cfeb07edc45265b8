"""Pages learn of changes, and a request whose client goes away meanwhile can still be ended."""

import asyncio
import time

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from channels.layers import get_channel_layer

from playtest.play.sessions import notifications
from playtest.serve import channel_layer


async def test_a_request_that_is_given_up_while_pages_are_told_ends_without_an_error() -> None:
    layer = get_channel_layer()
    assert layer is not None
    await layer.group_add("pages", "page")
    notifications.listen()

    def view() -> None:
        time.sleep(0.002)
        notifications.send(["pages"], {"type": "changed"})
        time.sleep(0.002)

    async def request() -> None:
        async with ThreadSensitiveContext():
            try:
                await sync_to_async(view)()
            except asyncio.CancelledError:
                await asyncio.sleep(0.005)
            await sync_to_async(int)()  # what ends a request, as its signals do

    for moment in range(60):
        task = asyncio.create_task(request())
        await asyncio.sleep(0.001 + moment % 12 * 0.0002)
        time.sleep(0.001)  # noqa: ASYNC251 - the loop is late, as under load
        task.cancel()
        await task
    await request()
    assert (await layer.receive("page"))["type"] == "changed"


@pytest.mark.parametrize(("seconds", "left"), [(0.0, []), (3600.0, ["second"])])
async def test_what_has_expired_is_looked_for_once_in_so_many_seconds(
    monkeypatch: pytest.MonkeyPatch, seconds: float, left: list[str]
) -> None:
    monkeypatch.setattr(channel_layer, "SECONDS_BETWEEN_LOOKS", seconds)
    layer = channel_layer.ChannelLayer(expiry=-1)  # at once
    await layer.send("first", {"type": "changed"})
    await layer.group_send("pages", {"type": "changed"})
    assert list(layer.channels) == []
    await layer.send("second", {"type": "changed"})
    await layer.group_send("pages", {"type": "changed"})
    assert list(layer.channels) == left
