"""After a restart many pages connect at once: what is asked of the database for them is asked together."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from playtest.play.clock import now
from playtest.play.sessions.absences import Return, all_came_back
from playtest.play.together import MOST, Together
from tests import make
from tests.make import play


async def test_what_is_asked_meanwhile_is_asked_together_and_each_gets_its_answer() -> None:
    calls: list[int] = []

    def squares(numbers: Sequence[int]) -> list[int]:
        calls.append(len(numbers))
        return [number * number for number in numbers]

    ask = Together(squares)
    found = await asyncio.gather(*map(ask, range(100)))
    assert found == [number * number for number in range(100)]
    assert max(calls) == MOST
    assert len(calls) <= 5


async def test_a_failure_is_told_to_those_in_it_and_the_next_are_answered() -> None:
    def halves(numbers: Sequence[int]) -> list[float]:
        return [1 / number for number in numbers]

    ask = Together(halves)
    with pytest.raises(ZeroDivisionError):
        await ask(0)
    assert await ask(2) == 0.5


@pytest.mark.django_db
@pytest.mark.once
def test_five_returns_need_as_many_queries_as_one() -> None:
    sessions = [play(make.session(make.study()), [4], None).session_pk for _ in range(6)]
    gone, back = now(), now() + timedelta(seconds=20)

    def queries(numbers: Sequence[int]) -> int:
        all_came_back([Return(number, gone) for number in numbers])
        with CaptureQueriesContext(connection) as seen:
            absences = all_came_back([Return(number, back) for number in numbers])
        assert all(one is not None and one.excused > 10 for one in absences)
        return len(seen)

    assert queries(sessions[:1]) == queries(sessions[1:])
