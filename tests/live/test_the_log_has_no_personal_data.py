"""The log says what happened to which session and attempt, and nothing about who a person is."""

import http.client
import json
from collections.abc import Callable

import pytest

from playtest.serve.logs import replaced
from tests.live.games import WALK
from tests.live.server import PASSWORD, Server
from tests.live.station import Station
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once


async def test_a_session_leaves_numbers_only(make_server: Callable[..., Server]) -> None:
    server = make_server(LOG_FORMAT="json", LOG_LEVEL="INFO")
    port = server.start()
    new = server.seed(stage="new")["people"][0]
    playing = server.seed(pool=["wk01"])["people"][0]
    visitor = Visitor(port)
    visitor.get("/")
    assert visitor.post("/", code=new["code"]).path != "/", "checked in"
    server.staff(port, "lead").get("/staff/stations/")
    stranger = Visitor(port)
    stranger.get("/staff/sign-in/")
    stranger.post("/staff/sign-in/", username="ada.lovelace@example.org", password=PASSWORD)
    assert visitor.get(f"/nothing/{new['code']}/ada.lovelace@example.org/").status == 404
    unknown = http.client.HTTPConnection("127.0.0.1", port)
    unknown.request("GET", "/", headers={"Host": "198.51.100.7"})
    assert unknown.getresponse().status == 400
    unknown.close()
    async with Station(port, playing["seat"]) as station:
        await station.begin()
        await station.act(WALK[0])
    async with Station(port, playing["seat"]) as station:
        await station.begin()
        for action in WALK[1:]:
            await station.act(action)
        await station.hear_text("session")
    server.stop()
    log = server.log()
    lines = [json.loads(line) for line in log.splitlines()]
    [ended] = [line for line in lines if line["event"] == "an attempt has ended"]
    assert (ended["session"], ended["outcome"]) == (playing["session"], "completed")
    assert isinstance(ended["attempt"], int)
    assert {"timestamp", "level", "logger"} <= ended.keys()
    left = next(line for line in lines if line["event"] == "a page has disconnected")
    assert (left["session"], left["attempt"]) == (playing["session"], ended["attempt"])
    code = new["code"]
    personal = [
        code,
        f"{code[:3]}-{code[3:]}",
        playing["seat"],
        "ada",
        "127.0.0.1",
        "198.51.100.7",
        "lead",
        PASSWORD,
    ]
    assert [one for one in personal if one in log] == []


def test_what_libraries_say_is_replaced() -> None:
    said = "Key (email)=(ada@example.org) of 2001:db8::1 and ::1 by 10.0.0.7:443, code K7M-2QX at 12:30:05"
    assert replaced(said) == (
        "Key (email)=([e-mail]) of [address] and [address] by [address]:443, code [code] at 12:30:05"
    )
