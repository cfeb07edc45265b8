"""Every number of a static task's page equals a naive recomputation from the journal."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from playtest.insight.pages.task.findings import PairFacts, TaskFindings
from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.task_world import RIGHT, study_of_tasks
from tests.insight.test_results_of_tasks import EDITS, play_until_refused
from tests.make_tasks import SUBMIT, play_task, small_task
from tests.naive_tasks import Sat, pair_page, sat, sign, without_from
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

type Facts = dict[str, Any]


@pytest.fixture(scope="module")
def played(module_db: None) -> None:
    study_of_tasks()


def page(code: str, **query: str) -> TaskFindings:
    answer = signed_in(Role.DESIGNER).get(reverse("insight:environment", args=[code]), query)
    assert answer.status_code == 200
    found: TaskFindings = answer.context["found"]
    return found


def counted(code: str, excluded: Iterable[int] = (), cut: Mapping[int, int] | None = None) -> list[Sat]:
    """The sessions that count: ended, viewed long enough, not excluded whole."""
    ended = Attempt.objects.filter(environment__code=code, ended_at__isnull=False)
    known = sat(ended.exclude(pk__in=excluded))
    return without_from([one for one in known if one.seconds > one.view_seconds], cut or {})


def said(pair: PairFacts) -> Facts:
    """A pair of the page as `naive_tasks.pair_page` gives it."""
    return {
        "people": pair.people,
        "solved": pair.solved.count if pair.solved else 0,
        "at": list(pair.at),
        "first_edits": pair.first_edits,
        "first_seconds": pytest.approx(pair.first_seconds),
        "seconds": pytest.approx(pair.seconds),
        "wrong": grids(pair),
    }


def grids(pair: PairFacts) -> list[tuple[list[list[int]], Counter[tuple[str, int, str]]]]:
    for wrong in pair.wrong:
        assert wrong.people == len({each.participant for each in wrong.submitted})
    sizes = [(wrong.people, len(wrong.submitted)) for wrong in pair.wrong]
    assert sizes == sorted(sizes, reverse=True), "what most people agree on is first"
    found = [
        (
            [list(row) for row in wrong.grid],
            Counter(
                (each.participant, each.number, str(each.href).split("=")[-1]) for each in wrong.submitted
            ),
        )
        for wrong in pair.wrong
    ]
    return sorted(found, key=lambda one: one[0])


def expected(counting: list[Sat], number: int, tries: int) -> Facts:
    found = pair_page(counting, number, tries)
    del found["ambiguous"]  # of the whole task, by `test_ambiguous_tasks`
    wrong = [
        (rows, Counter((who, place, str(seq)) for who, place, seq in places))
        for rows, places in found["wrong"]
    ]
    return found | {"wrong": sorted(wrong, key=lambda one: one[0])}


def compare(found: TaskFindings, counting: list[Sat], tries: int = 2) -> None:
    """All that the page shows of these sessions."""
    assert found.tries == tries
    assert found.solved == sum(one.solved for one in counting)
    for pair in found.pairs:
        assert said(pair) == expected(counting, pair.number, tries)
    newest_first = sorted(counting, key=lambda one: one.attempt.pk, reverse=True)
    assert [person.attempt for person in found.people] == [one.attempt.pk for one in newest_first]
    for person, one in zip(found.people, newest_first, strict=True):
        numbers = range(1, len(found.pairs) + 1)
        signs = [tried.sign if tried else "" for tried in person.pairs]
        assert signs == [sign(one.inputs.get(number), tries) for number in numbers]
        assert person.participant == one.attempt.participant.label
        assert person.seconds == pytest.approx(one.seconds)
        solved = [each for each in one.inputs.values() if each.solved_at(tries)]
        assert (person.score.solved, person.score.pairs) == (len(solved), len(found.pairs))
        for tried in person.pairs:
            if tried is not None:
                seconds = one.inputs[tried.pair].seconds
                assert tried.seconds == pytest.approx(seconds)
                assert tried.counted == (seconds > one.view_seconds)


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("code", list(RIGHT))
def test_the_gate_and_the_heading_count_the_same_people(code: str) -> None:
    answer = signed_in(Role.DESIGNER).get(reverse("insight:environment", args=[code]))
    verdict, known = answer.context["evidence"].verdict, counted(code)
    assert (verdict.people, verdict.solvers) == (len(known), sum(one.solved for one in known))
    partly = sum(any(each.solved_at(2) for each in one.inputs.values()) for one in known)
    assert verdict.sentence.startswith(f"{partly} of {len(known)} solved one or more test pairs")
    assert (verdict.gate == "passed") == (partly >= 2)
    assert answer.context["heading"].startswith(f"{verdict.solvers} of {len(known)} ")


@pytest.mark.usefixtures("played")
def test_exclusions_are_left_out_and_shown_on_demand() -> None:
    first, *_, last = Attempt.objects.filter(environment__code="pairs-2").order_by("pk")
    lead, kind = staff(Role.LEAD), DecisionKind.EXCLUDE_FROM
    settled(first.session, lead, kind, "disturbed", attempt_id=first.pk, from_seq=6)
    settled(last.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    compare(page("pairs-2"), counted("pairs-2", [last.pk], {first.pk: 6}))
    compare(page("pairs-2", excluded="with"), counted("pairs-2"))


def test_a_pause_takes_no_time_to_the_first_submission() -> None:
    session = make.session(make.study(pool=[small_task("pairs-7", [[1]])]))
    attempt = play_task(session, [(40, {"op": "undo"}), (40, SUBMIT)], None, minutes_ago=10)
    began = Entry.objects.get(attempt=attempt, seq=0).server_time
    make.pause_between(session, began + timedelta(seconds=50), began + timedelta(seconds=65))
    end_attempt(attempt.pk, Outcome.GAVE_UP, began + timedelta(seconds=90))
    [pair] = page("pairs-7").pairs
    assert (pair.first_edits, pair.first_seconds, pair.seconds) == (1, 65, 75)


class AnyEdits(TestCase):
    """Whatever people do, under whatever rule."""

    @settings(max_examples=4)
    @given(
        st.lists(
            st.lists(st.tuples(st.sampled_from([0.5, 2.0, 70.0]), EDITS), max_size=14), min_size=1, max_size=3
        ),
        st.booleans(),
        st.integers(1, 3),
        st.integers(0, 2),
    )
    def test_a_page_equals_a_naive_recomputation(
        self, people: list[list[tuple[float, Facts]]], feedback: bool, tries: int, more: int
    ) -> None:
        pool = [small_task("small-3", [[1]], [[0]], [[2, 0]])]
        asked: Facts = {"feedback": feedback, "tries": tries, "most_submissions": tries + more}
        campaign: Study = make.study(pool=pool, people=10, **asked)
        for edits in people:
            play_until_refused(campaign, edits)
        compare(page("small-3", study=str(campaign.pk)), counted("small-3"), tries)
