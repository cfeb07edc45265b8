"""`/metrics` counts what people do, and answers only those who may read it."""

import re
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError

import pytest

from engine.errors import FAULT_CODES
from playtest.operation.metrics.application import allowed
from tests.live.games import WALK
from tests.live.server import Server
from tests.live.station import Station


def read(port: int, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def values(text: str) -> dict[str, float]:
    """Every sample of the text by its name with its labels."""
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


@pytest.mark.once
async def test_actions_of_people_are_measured(make_server: Callable[..., Server]) -> None:
    server = make_server()
    port = server.start()
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for action in WALK[:4]:
            await station.act(action)
        found = values(read(port)[1])
    assert found['playtest_action_seconds_count{player="person"}'] == 4
    assert found["playtest_live_environments"] == found["playtest_open_pages"] == 1
    assert found["playtest_open_sessions"] == found['playtest_open_attempts{player="person"}'] == 1
    assert found["playtest_journal_group_rows_sum"] >= 5, "entries and events"
    assert found["playtest_journal_running"] == found["playtest_database_answers"] == 1
    assert found["playtest_engine_hosts"] == 1
    assert not re.search(person["code"], read(port)[1])
    assert read(port, X_Forwarded_For="127.0.0.1")[0] == 403
    faults = {name: value for name, value in found.items() if "environment_faults_total" in name}
    assert faults == {f'playtest_environment_faults_total{{code="{code}"}}': 0 for code in FAULT_CODES}


@pytest.mark.once
@pytest.mark.parametrize(
    ("client", "headers", "expected"),
    [
        ("127.0.0.1", {}, True),
        ("::ffff:127.0.0.1", {}, True),
        ("192.0.2.7", {}, False),
        ("192.0.2.7", {"authorization": "Bearer another"}, False),
        ("192.0.2.7", {"authorization": "Bearer only for this test"}, True),
        *(
            ("127.0.0.1", {header: "127.0.0.1"}, False)  # a proxy passed it on
            for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP")
        ),
    ],
)
def test_only_this_machine_and_holders_of_the_token_read_them(
    settings: Any, client: str, headers: dict[str, str], expected: bool
) -> None:
    settings.METRICS_TOKEN = "only for this test"
    scope = {"client": (client, 1), "headers": [(n.encode(), v.encode()) for n, v in headers.items()]}
    assert allowed(scope) == expected
