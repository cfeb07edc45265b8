"""Attempts at static tasks: how they end, and which of them count."""

import pytest
from django.db.models import F

from playtest.play.models import Attempt, Entry
from playtest.play.sessions.reads import COUNTED, LEFT_AT_ONCE
from playtest.review.services.verification import check_record
from playtest.rules.attempt import Outcome
from tests import make
from tests.make_tasks import (
    ONE_INPUT,
    SUBMIT,
    TWO_INPUTS,
    play_task,
    small_task,
    solution,
    solved,
    submitted,
    task,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.parametrize("code", [ONE_INPUT, TWO_INPUTS])
def test_solving_every_test_input_completes_a_task(code: str) -> None:
    pool = [task(code)]
    attempt = play_task(make.session(make.study(pool=pool)), solved(pool[0]))
    assert (attempt.outcome, attempt.levels_completed) == (Outcome.COMPLETED, attempt.version.levels)
    assert attempt.actions == Entry.objects.filter(attempt=attempt, seq__gt=0, edit__isnull=False).count()


def test_a_right_submission_after_the_tries_completes_nothing() -> None:
    pool = [small_task("small-1", [[3]])]
    session = make.session(make.study(pool=pool, most_submissions=5))
    attempt = play_task(session, [SUBMIT, SUBMIT, *submitted([[3]])])
    assert (attempt.outcome, attempt.levels_completed) == (Outcome.TRIES_USED, 0)


@pytest.mark.services
def test_the_record_of_an_attempt_is_sound() -> None:
    pool = [task(TWO_INPUTS)]
    attempt = play_task(make.session(make.study(pool=pool)), submitted(solution(pool[0])))
    [checked] = check_record([attempt.pk])
    assert (checked.checked, checked.differences) == (attempt.actions + 1, ())


@pytest.mark.parametrize(("seconds", "counts"), [(5.0, False), (5.1, True)])
def test_a_view_counts_if_it_took_longer_than_the_protocol_says(seconds: float, counts: bool) -> None:
    session = make.session(make.study(pool=[task()]))
    play_task(session, [], seconds_after=seconds)
    assert Attempt.objects.filter(COUNTED).exists() is counts
    assert Attempt.objects.filter(LEFT_AT_ONCE).exists() is not counts
    assert Attempt.objects.filter(last_action_at=F("ended_at")).exists()
