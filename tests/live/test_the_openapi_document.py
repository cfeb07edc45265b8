"""What the OpenAPI document promises, the running server does, also for input that nobody would send."""

from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from playtest.arena.api.application import DATA, ROUTES
from playtest.arena.api.openapi import DOCUMENT
from tests.live.arena import Agent, Arena

pytestmark = pytest.mark.once

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


def test_every_route_is_described() -> None:
    described = {(method.upper(), path.replace("{", "").replace("}", "")) for path, method in OPERATIONS}
    routes = [
        (method, path)
        for method, path in described
        if path != "/api/openapi.json" and not path.startswith(DATA)
    ]
    for method, path in routes:
        assert any(route.method == method and route.pattern.fullmatch(path) for route in ROUTES), path
    for route in ROUTES:
        found = any(route.pattern.fullmatch(path) and route.method == method for method, path in described)
        assert found or route.pattern.fullmatch("/api/openapi.json")


class Known(NamedTuple):
    """An agent with what is there to be named in requests."""

    agent: Agent
    card: str
    guid: str


@pytest.fixture(scope="module")
def known(arena: Arena) -> Known:
    agent = arena.agent()
    card = agent.open()
    return Known(agent, card, agent.reset(card, "wk01").json()["guid"])


def test_the_server_answers_the_document(known: Known) -> None:
    assert known.agent.get("/openapi.json").json() == DOCUMENT


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_server_does_as_described(arena: Arena, known: Known, path: str, method: str) -> None:
    operation = schemathesis.openapi.from_dict(DOCUMENT | {"security": []})[path][method]
    modes = [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if method == "post" else [])]
    cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])
    headers = {"X-API-Key": str(known.agent.session.headers["X-API-Key"])}

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(cases, st.booleans())
    def sends(case: Any, meant: bool) -> None:
        if meant and isinstance(case.body, dict):  # it names what is there, and may be valid by that
            present = {"game_id": "wk01", "guid": known.guid, "card_id": known.card}
            case.body |= {name: value for name, value in present.items() if type(case.body.get(name)) is str}
        checks = CHECKS if meant else [*CHECKS, negative_data_rejection]
        case.call_and_validate(base_url=f"http://127.0.0.1:{arena.port}", headers=headers, checks=checks)

    sends()
