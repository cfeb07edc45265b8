"""No request to any page, by anybody, is answered with a failure of the server, or with what is not theirs.

The suite always sends the same requests, `make fuzz` others, for longer: `FUZZ_SEED=7 make fuzz` repeats
one. Each request happens in a transaction that is rolled back.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import transaction
from django.test import Client

from playtest.center.models import Slot
from playtest.people.roles import RIGHTS, Right, Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.seats import COOKIE
from playtest.play.sessions.services import (
    answer_survey,
    check_in,
    create_session,
    finish_tutorial,
    give_consent,
)
from tests import make
from tests.fuzz import values
from tests.fuzz.routes import Route, routes
from tests.seats import browser_at
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]  # PostgreSQL refuses texts that SQLite takes

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = os.environ.get("FUZZ_SEED", str(time.time()) if SECONDS else "1")
REQUESTS = [500, *([] if SECONDS else [pytest.param(10_000, marks=pytest.mark.long)])]


class Request(NamedTuple):
    """One request, as a person can repeat it."""

    who: str
    method: str
    address: str
    body: bytes
    content_type: str
    headers: dict[str, str]


class Somebody(NamedTuple):
    name: str
    client: Client
    rights: frozenset[Right]


@pytest.fixture
def known() -> list[str]:
    """Texts that name what there is: something to look at on every page."""
    session = make.session(make.study())
    attempt = make.play(session, [4, 4, 4])
    tomorrow = now() + timedelta(days=1)
    slot = Slot.objects.create(
        study=session.study,
        starts_at=tomorrow,
        ends_at=tomorrow + timedelta(hours=2),
        capacity=5,
        created_at=now(),
    )
    numbers = {session.pk, attempt.pk, session.study_id, slot.pk, session.participant_id}
    return [*map(str, sorted(numbers)), "wk01", "ck01", session.study.name, str(UUID(int=0))]


def everybody() -> list[Somebody]:
    """Everybody who can ask for a page, each with a browser."""
    people = [Somebody(role.value, signed_in(role), RIGHTS[role]) for role in Role]
    people.append(Somebody("anyone", Client(), frozenset()))
    people.append(Somebody("station", browser_at(7), frozenset()))
    campaign = make.study()
    for stage, prepare in STAGES.items():
        session, code = create_session(campaign, new_participant(), None)
        session, token = check_in(code, station=None)
        prepare(session)
        browser = Client()
        browser.cookies[COOKIE] = f"{session.pk}.{token}"
        people.append(Somebody(f"participant at {stage}", browser, frozenset()))
    for somebody in people:
        somebody.client.raise_request_exception = False
    return people


def _to_the_tutorial(session: Session) -> None:
    give_consent(session)
    answer_survey(session, {})


def _to_play(session: Session) -> None:
    _to_the_tutorial(session)
    finish_tutorial(session)
    open_next(session)


STAGES: dict[str, Callable[[Session], object]] = {
    "consent": lambda session: None,
    "survey": give_consent,
    "tutorial": _to_the_tutorial,
    "play": _to_play,
}


def drawn(chance: random.Random, somebody: Somebody, route: Route, known: list[str]) -> Request:
    """A request of this page, as somebody who wants to see what happens."""
    parts = route.address.split("<>")
    filled = [values.part(chance, known) for _ in parts[1:]]
    address = parts[0] + "".join(text + after for text, after in zip(filled, parts[1:], strict=True))
    method = chance.choices(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"], [10, 12, 1, 1, 1, 1])[0]
    names = chance.sample(route.fields, min(len(route.fields), chance.randint(0, 8)))
    fields = {
        name: [values.value(chance, known) for _ in range(chance.choice([1, 1, 1, 3]))] for name in names
    }
    headers = chance.choice(values.HEADERS)
    kind = chance.random()
    if method != "POST" or kind < 0.1:
        address += "?" + values.query(fields)
        body, content_type = chance.choice(values.BODIES), chance.choice(values.TYPES)
    elif kind < 0.6:
        body, content_type = values.query(fields).encode(), values.TYPES[0]
    elif kind < 0.75:
        body, content_type = values.body_of_json(chance, names), "application/json"
    else:
        body, content_type = values.multipart(chance, fields), "multipart/form-data; boundary=edge"
    return Request(somebody.name, method, address, body, content_type, headers)


def answered(somebody: Somebody, request: Request) -> int:
    """The status of the answer; what the request stored is taken back."""
    cookies = somebody.client.cookies.output(header="", sep=";")
    with transaction.atomic():
        answer = somebody.client.generic(
            request.method, request.address, request.body, request.content_type, headers=request.headers
        )
        if answer.streaming and answer.status_code == 200:
            for _ in zip(range(50), answer, strict=False):  # a stream may fail late
                pass
        transaction.set_rollback(True)
    somebody.client.cookies = SimpleCookie(cookies)
    return answer.status_code


@contextmanager
def noticed() -> Iterator[list[str]]:
    """The failures of views, while they happen: the last line of the product in the traceback."""
    errors: list[str] = []

    def notice(**_named: Any) -> None:
        _, error, trace = sys.exc_info()
        ours = [frame for frame in traceback.extract_tb(trace) if "/playtest/" in frame.filename]
        place = f"{ours[-1].filename.rpartition('/playtest/')[2]}:{ours[-1].lineno}" if ours else "?"
        errors.append(f"{type(error).__name__} in {place}: {error!s:.200}")

    got_request_exception.connect(notice)
    try:
        yield errors
    finally:
        got_request_exception.disconnect(notice)


@pytest.mark.parametrize("requests", REQUESTS)
def test_no_request_fails_and_nobody_sees_a_page_without_the_right(known: list[str], requests: int) -> None:
    chance = random.Random(SEED)
    people, pages = everybody(), routes()
    failures: dict[str, Request] = {}
    statuses: Counter[int] = Counter()
    ends = time.process_time() + SECONDS
    logging.disable()  # each refusal is logged
    with noticed() as errors:
        while statuses.total() < requests or time.process_time() < ends:
            somebody, route = chance.choice(people), chance.choice(pages)
            request = drawn(chance, somebody, route, known)
            if statuses.total() % 50 == 0:
                cache.clear()  # of limits on guessing
            errors.clear()
            try:
                status = answered(somebody, request)
            except Exception as error:
                status = 500
                errors.append(f"outside a view: {error!r:.300} {route.name}")
            statuses[status] += 1
            if errors or (status >= 500 and status != 503):
                failures.setdefault(errors[0] if errors else f"{status} {route.name}", request)
            elif status < 300 and isinstance(route.access, Right) and route.access not in somebody.rights:
                failures.setdefault(f"{somebody.name} sees {route.name}", request)
    logging.disable(logging.NOTSET)
    report = [f"{error}\n  {request!s:.600}" for error, request in failures.items()]
    assert not report, "\n\n".join([f"seed {SEED}, {statuses}", *report])
    assert {200, 302, 400, 403, 404} <= set(statuses)
