"""Tables for pages match the database at the moment of the request."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from playtest.insight.compute.results import rebuild
from playtest.insight.models import LevelResult
from playtest.insight.scope import Scope
from playtest.insight.tables.results import ATTEMPT, LEVEL, attempts, levels
from playtest.people.roles import Role
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.reads import COUNTED
from playtest.review.models import DecisionKind
from playtest.review.services import decisions
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.journals import append, begin
from tests.insight.up_to_date import up_to_date
from tests.review.cases import settled
from tests.rules.levels import BEGAN, journal
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

EVERYONE = Scope()


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def attempt_rows(scope: Scope = EVERYONE) -> dict[int, dict[str, Any]]:
    up_to_date()
    frame = attempts(scope)
    assert frame.schema == ATTEMPT
    return {row["attempt"]: row for row in frame.to_dicts()}


def level_rows(scope: Scope = EVERYONE) -> list[tuple[int, int, int, bool]]:
    up_to_date()
    frame = levels(attempts(scope), scope)
    assert dict(frame.schema) == {**LEVEL, **ATTEMPT}
    return frame.select("attempt", "level", "actions", "completed").rows()


@pytest.mark.services
def test_the_row_of_an_attempt_follows_play_and_its_end(study: Study) -> None:
    entries = journal("b+ b..+ b", [1.0, 60.5])
    attempt = begin(study, entries)
    assert level_rows() == [(attempt.pk, 1, 0, False)]
    append(attempt, entries[1:5])
    row = attempt_rows()[attempt.pk]
    assert (row["outcome"], row["levels_completed"], row["attempt_actions"], row["counted"]) == (
        "",
        1,
        4,
        False,
    )
    assert (row["attempt_seconds"], row["last_action_at"]) == (65.5, entries[4].at)
    append(attempt, entries[5:])
    assert attempt_rows()[attempt.pk]["outcome"] == ""  # it is read, and ends without a further entry
    end_attempt(attempt.pk, Outcome.GAVE_UP, entries[-1].at)
    row = attempt_rows()[attempt.pk]
    assert (row["outcome"], row["levels_completed"], row["attempt_actions"]) == ("gave_up", 2, 7)
    assert (row["first_frame_at"], row["participant"]) == (BEGAN, attempt.participant.label)
    assert level_rows() == [(attempt.pk, 1, 2, True), (attempt.pk, 2, 4, True), (attempt.pk, 3, 1, False)]


def test_the_column_counted_follows_the_rule_of_the_protocol(study: Study) -> None:
    long = [(1800 - 31 * 2.0) / 2] * 2
    cases = [
        ("b" * 30, [], Outcome.GAVE_UP), ("b" * 31, [], Outcome.GAVE_UP), ("b" * 31, [], Outcome.FAULT),
        ("b" * 33, long, Outcome.TIMED_OUT), ("b" * 33, [long[0], long[1] - 0.001], Outcome.TIMED_OUT),
        ("b" * 40, [], None),
    ]  # fmt: skip
    for text, pauses, outcome in cases:
        entries = journal(text, pauses)
        attempt = begin(study, entries)
        append(attempt, entries[1:])
        if outcome:
            end_attempt(attempt.pk, outcome, entries[-1].at)
    counted = set(Attempt.objects.filter(COUNTED).values_list("pk", flat=True))
    assert {attempt for attempt, row in attempt_rows().items() if row["counted"]} == counted
    assert len(counted) == 2


def test_a_decision_changes_the_tables_at_once(study: Study) -> None:
    entries = journal("b+ b+ b")
    one, other = begin(study, entries), begin(study, entries)
    for attempt in (one, other):
        append(attempt, entries[1:])
        end_session(Session.objects.get(pk=attempt.session_pk), SessionEnd.ENDED_BY_STAFF)
    assert len(level_rows()) == 6
    lead = staff(Role.LEAD)
    cut = settled(one.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=one.pk, from_seq=3)
    settled(other.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert level_rows() == [(one.pk, 1, 2, True)]
    assert [(row["excluded_from"], row["why_excluded"]) for row in attempt_rows().values()] == [
        (3, "was disturbed or unwell")
    ]
    everyone = Scope(with_excluded=True)
    assert [row["excluded_from"] for row in attempt_rows(everyone).values()] == [3, 0]
    assert len(level_rows(everyone)) == 6
    decisions.reverse(cut.pk, lead, "mistake", "It was her twin.")
    assert len(level_rows()) == 3


def test_rebuilt_and_withdrawn_attempts_are_not_read_from_the_cache(study: Study) -> None:
    played = [make.play(make.session(study), [4, 4, 4, 2]) for _ in range(2)]
    LevelResult.objects.filter(level=1).update(actions=99)
    level_rows()
    rebuild(Attempt.objects.all())
    right = [(attempt.pk, *level) for attempt in played for level in ((1, 3, True), (2, 1, False))]
    assert level_rows() == right
    gone = played[0]
    end_session(gone.session, SessionEnd.ENDED_BY_STAFF)
    up_to_date()
    frame = attempts(EVERYONE)
    withdraw(gone.participant, None)
    assert level_rows() == right[2:]
    assert gone.pk not in levels(frame, EVERYONE)["attempt"]


@pytest.mark.services
def test_each_scope_has_its_own_tables(study: Study) -> None:
    person = make.play(make.session(study), [4])
    rehearsal = make.study(rehearsal=True)
    other = make.play(make.session(rehearsal), [4])
    elsewhere = make.play(make.session(make.study("ck01")), [(1, 1)])
    assert list(attempt_rows()) == [person.pk, elsewhere.pk]
    assert list(attempt_rows(Scope(rehearsal))) == [other.pk]
    up_to_date()
    assert attempts(EVERYONE, [person.environment])["attempt"].to_list() == [person.pk]


def test_unchanged_attempts_are_not_read_again(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        make.play(make.session(study), [4, 4, 4, 2])
    up_to_date()
    levels(attempts(EVERYONE), EVERYONE)
    with django_assert_num_queries(6):  # what changed, withdrawals, decisions, voids, links of records, flags
        levels(attempts(EVERYONE), EVERYONE)
