"""Stored results of static tasks equal a naive recomputation from the journal, however they are read."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.errors import ActionError
from engine.tasks.edits import edit_of
from engine.tasks.state import Submissions, apply, start
from playtest.insight.compute.journal import wrong_results
from playtest.insight.compute.results import bring_up_to_date, rebuild
from playtest.insight.models import LevelResult, Summary
from playtest.play.models import Attempt, Entry, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.rules.attempt import Outcome
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, submitted, task_in
from tests.naive_tasks import Tried, sat

pytestmark = [pytest.mark.django_db, pytest.mark.once]

OPEN_1, OPEN_2, OPEN_3 = ({"op": "open", "input": number} for number in (1, 2, 3))
UNDO: dict[str, Any] = {"op": "undo"}
EDITS = st.one_of(
    st.sampled_from(
        [SUBMIT, OPEN_1, OPEN_2, OPEN_3, UNDO, {"op": "redo"}, {"op": "copy_input"}, {"op": "clear"}]
    ),
    st.builds(lambda h, w: {"op": "resize", "height": h, "width": w}, st.integers(1, 2), st.integers(1, 2)),
    st.builds(lambda c, p: {"op": "paint", "colour": c, "cells": [p]}, st.integers(0, 2), st.integers(0, 1)),
)


def stored(attempt: Attempt) -> list[dict[str, Any]]:
    return [dict(row) for row in LevelResult.objects.filter(attempt=attempt).order_by("level").values()]


def expected(one: Tried) -> dict[str, Any]:
    """What the table should say of one test input, but for states."""
    counted = [right for _, _, right in one.submitted]
    until = next((place for place, act in enumerate(one.acts, start=1) if place == one.solved_by), None)
    lost = [seq for seq, _, _ in one.submitted if until is None or one.acts.index(seq) + 1 < until]
    active = sum(min((end - start).total_seconds(), 60.0) for start, end in one.shown)
    return {
        "level": one.number,
        "entered_seq": one.first_seq,
        "last_seq": one.acts[-1] if one.acts else one.first_seq,
        "entered_at": one.first_shown,
        "last_at": one.last_act or one.first_shown,
        "completed": one.solved_by is not None,
        "actions": len(one.acts),
        "actions_since_reset": len(one.acts),
        "resets": 0,
        "no_ops": one.idle_acts,
        "first_score_change": one.solved_by,
        "game_overs": len(lost) if counted else 0,
        "seconds": pytest.approx(one.seconds),
        "active_seconds": pytest.approx(active),
    }


def check_all() -> None:
    """Every stored result is as the naive recomputation says."""
    for one in sat(Attempt.objects.all()):
        found = stored(one.attempt)
        assert [row["level"] for row in found] == sorted(one.inputs)
        for row in found:
            wanted = expected(one.inputs[row["level"]])
            assert {name: row[name] for name in wanted} == wanted
    assert list(wrong_results(Attempt.objects.all())) == []


@pytest.mark.services
def test_inputs_worked_on_in_turns_have_results_of_their_own() -> None:
    pool = [small_task("small-3", [[1]], [[2]], [[3]])]
    session = make.session(make.study(pool=pool))
    paint = {"op": "paint", "colour": 5, "cells": [0]}
    attempt = play_task(
        session,
        [paint, (90, OPEN_3), SUBMIT, (3, OPEN_1), UNDO, UNDO, SUBMIT, *submitted([[1]]), (7, OPEN_3)],
        seconds_after=100,
    )
    bring_up_to_date(Attempt.objects.all())
    check_all()
    first, second, third = stored(attempt)
    assert (first["actions"], first["no_ops"], first["game_overs"], first["completed"]) == (8, 2, 1, True)
    assert first["repeated_states"] == 2, "what changed nothing; the other input has a submission since"
    assert (second["actions"], second["first_change"], second["entered_seq"]) == (0, None, 11)
    assert (second["seconds"], third["seconds"], third["active_seconds"]) == (7, 105, 65)


def test_the_time_after_the_last_edit_is_added_when_the_attempt_ends() -> None:
    session = make.session(make.study(pool=[small_task("small-1", [[1]])]))
    attempt = play_task(session, [UNDO], None, minutes_ago=1)
    bring_up_to_date(Attempt.objects.all())
    assert [row["seconds"] for row in stored(attempt)] == [2]
    last = Entry.objects.get(attempt=attempt, seq=1)
    end_attempt(attempt.pk, Outcome.GAVE_UP, last.server_time + timedelta(seconds=30))
    assert bring_up_to_date(Attempt.objects.all()) == 1
    assert [row["seconds"] for row in stored(attempt)] == [32]
    assert bring_up_to_date(Attempt.objects.all()) == 0
    check_all()


def test_a_pause_by_staff_takes_no_time() -> None:
    session = make.session(make.study(pool=[small_task("small-1", [[1]])]))
    attempt = play_task(session, [UNDO, UNDO], None, minutes_ago=10)
    began = Entry.objects.get(attempt=attempt, seq=0).server_time
    make.pause_between(session, began + timedelta(seconds=5), began + timedelta(seconds=65))
    end_attempt(attempt.pk, Outcome.GAVE_UP, began + timedelta(seconds=70))
    bring_up_to_date(Attempt.objects.all())
    assert [row["seconds"] for row in stored(attempt)] == [10]


def test_a_rebuild_gives_the_same_results() -> None:
    pool = [small_task("small-2", [[1]], [[2]])]
    campaign = make.study(pool=pool)
    play_task(make.session(campaign), [SUBMIT, OPEN_2, *submitted([[2]])])
    play_task(make.session(campaign), [OPEN_2, SUBMIT], None)
    bring_up_to_date(Attempt.objects.all())
    before = [{**row, "id": 0} for attempt in Attempt.objects.all() for row in stored(attempt)]
    ends = list(Summary.objects.order_by("pk").values_list("through_seq", "through_end"))
    LevelResult.objects.filter(level=1).update(seconds=99)
    assert len(list(wrong_results(Attempt.objects.all()))) == 2
    rebuild(Attempt.objects.all())
    assert [{**row, "id": 0} for attempt in Attempt.objects.all() for row in stored(attempt)] == before
    assert list(Summary.objects.order_by("pk").values_list("through_seq", "through_end")) == ends
    assert ends == [(6, True), (2, False)]


def test_stored_submissions_are_those_of_the_journal() -> None:
    session = make.session(make.study(pool=[small_task("small-2", [[1]], [[2]])]))
    attempt = play_task(session, [SUBMIT, OPEN_2, *submitted([[2]])], None)
    bring_up_to_date(Attempt.objects.all())
    summary = Summary.objects.get(attempt=attempt)
    assert summary.submitted is not None
    assert [row[:3] for row in summary.submitted] == [[1, 1, False], [6, 2, True]]
    summary.submitted[0][2] = True
    summary.save()
    [(of, said)] = wrong_results(Attempt.objects.all())
    assert (of, said) == (attempt.pk, f"The submissions of attempt {of} differ from those in its journal.")


class AnyEdits(TestCase):
    """Whatever is edited, in whatever order and under whatever rule."""

    @settings(max_examples=8)
    @given(
        st.lists(st.tuples(st.sampled_from([0.5, 2.0, 70.0]), EDITS), max_size=25),
        st.booleans(),
        st.integers(1, 3),
        st.integers(0, 2),
    )
    def test_results_equal_a_naive_recomputation(
        self, edits: list[tuple[float, dict[str, Any]]], feedback: bool, tries: int, more: int
    ) -> None:
        pool = [small_task("small-3", [[1]], [[0]], [[2, 0]])]
        campaign = make.study(pool=pool, feedback=feedback, tries=tries, most_submissions=tries + more)
        play_until_refused(campaign, edits)
        bring_up_to_date(Attempt.objects.all())
        check_all()


def play_until_refused(campaign: Study, edits: list[tuple[float, dict[str, Any]]]) -> None:
    """Plays those of the edits that the task takes: once an input is closed, most are refused."""
    asked, task = campaign.protocol.tasks, task_in(campaign.pool.get())
    rule = Submissions(asked.tries, asked.most_submissions, asked.feedback)
    state, taken = start(task), []
    for wait, edit in edits:
        with suppress(ActionError):
            state = apply(task, rule, state, edit_of(edit))
            taken.append((wait, edit))
    play_task(make.session(campaign), taken)
