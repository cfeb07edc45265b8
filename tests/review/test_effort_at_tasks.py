"""Flags from static tasks come from edits and submissions, and none from the rules for environments."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Session
from playtest.play.sessions import clocks
from playtest.play.sessions.attempts import end_attempt
from playtest.review.models import Flag, Strength
from playtest.review.tasks.effort import flag_effort
from playtest.rules.attempt import Outcome
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, submitted
from tests.review import cases, tampering
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOLUTION = [[1, 2], [3, 0]]
TRIED = [*submitted([[1, 2], [3, 3]]), *submitted([[1, 2], [0, 0]])]


def session_with(*of_tasks: Sequence[Any], seconds_after: float = 60, **study: Any) -> Session:
    """A session at as many tasks, each edited like this and then given up after a while."""
    pool = [small_task(f"task{number}", SOLUTION) for number in range(len(of_tasks))]
    session = make.session(make.study(pool=pool, **study))
    for edits in of_tasks:
        play_task(session, edits, seconds_after=seconds_after)
    return session


def test_tasks_that_were_viewed_without_an_edit_are_flagged_while_the_session_runs() -> None:
    session = session_with([], [], TRIED)
    assert session.ended_at is None
    flag_effort()
    flag = Flag.objects.get(session=session)
    assert (flag.rule, flag.strength) == ("unedited_tasks", Strength.STRONG)
    assert flag.figures["tasks"] == 2
    assert flag.sentence == "2 of 3 tasks were viewed, for 2:00 min in all, and nothing was edited."
    page = signed_in(Role.RESEARCHER).get(reverse("review:case", args=[session.pk])).content.decode()
    assert flag.sentence in page
    attempt, seq = flag.figures["moments"][0]
    assert f"?attempt={attempt}#action={seq}" in page


def test_who_tries_and_fails_is_not_flagged() -> None:
    session_with(TRIED, TRIED, TRIED)
    flag_effort()
    assert not Flag.objects.exists()


def test_fast_edits_raise_no_flag_that_is_about_actions() -> None:
    pool = [small_task("task0", SOLUTION)]
    session = make.session(make.study(pool=pool))
    undone = [{"op": "undo"}] * 60
    play_task(session, undone, seconds_an_edit=0.05)
    flag_effort()
    assert cases.rules(session) == set()


def test_empty_and_repeated_submissions_are_flagged_and_open_no_review_alone() -> None:
    session = session_with([SUBMIT, SUBMIT], TRIED)
    flag_effort()
    assert cases.rules(session) == {"repeated_submissions", "empty_submissions"}
    sentences = set(Flag.objects.values_list("sentence", flat=True))
    assert sentences == {
        "1 of 4 submissions repeated a grid submitted before for the same test input.",
        "2 of 4 submitted grids had no coloured cell.",
    }


def test_thresholds_come_from_the_protocol() -> None:
    asked = {"empty_submissions": 3, "repeated_submissions": 2, "unedited_tasks": 3}
    session_with([SUBMIT, SUBMIT], [], [], effort=asked)
    flag_effort()
    assert not Flag.objects.exists()


def test_a_view_too_short_to_count_is_no_sign() -> None:
    session_with([], [], seconds_after=4)
    flag_effort()
    assert not Flag.objects.exists()


def test_time_in_which_staff_had_paused_the_session_is_no_view() -> None:
    pool = [small_task("task0", SOLUTION), small_task("task1", SOLUTION)]
    session = make.session(make.study(pool=pool))
    proctor = staff(Role.PROCTOR)
    for _ in pool:
        attempt = play_task(session, [], None)
        began = attempt.first_frame_at
        assert began is not None
        with make.at(began + timedelta(seconds=1)):
            clocks.change(session, proctor, clocks.pausing("fire alarm"))
        with make.at(began + timedelta(seconds=60)):
            clocks.change(session, proctor, clocks.resuming())
        end_attempt(attempt.pk, Outcome.GAVE_UP, began + timedelta(seconds=63))
    flag_effort()
    assert not Flag.objects.exists()


def test_a_damaged_journal_stops_no_other_session() -> None:
    damaged, other = session_with([SUBMIT, SUBMIT]), session_with([], [])
    tampering.set_entry(damaged.attempts.get(), 1, edit="{")
    flag_effort()
    assert cases.rules(damaged) == set()
    assert cases.rules(other) == {"unedited_tasks"}
