"""A second reviewer judges without having seen the first verdict; until both agree everything counts."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse as address

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.review.models import Decision, DecisionKind
from playtest.review.queries.decisions import in_force, waiting
from playtest.review.queries.exclusions import exclusions
from playtest.review.queries.queue import queue
from playtest.review.services.collections import add_item, create_collection
from playtest.review.services.comments import CommentContent, add_comment
from playtest.review.services.decisions import decide, reverse
from playtest.rules.attempt import Outcome
from tests import sittings
from tests.live.games import WALK
from tests.review import cases
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

KEEP, SESSION = DecisionKind.KEEP, DecisionKind.EXCLUDE_SESSION
ATTEMPT, FROM = DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM
VERDICT = "Stared at the ceiling all along."


@pytest.fixture
def solver() -> Session:
    """Unflagged, and solved everything there was."""
    session = sittings.sit_down(sittings.study())
    sittings.play(session, WALK, Outcome.COMPLETED)
    return cases.looked_at(session)


@pytest.fixture
def first() -> Staff:
    return staff(Role.LEAD)


@pytest.fixture
def second() -> Staff:
    return staff(Role.RESEARCHER)


def proposed(session: Session, first: Staff, kind: DecisionKind = SESSION, **about: Any) -> Decision:
    return decide(session, first, kind, "did_not_try", VERDICT, **about)


@pytest.mark.services
def test_who_was_unflagged_and_successful_stays_counted_until_two_agree(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    assert decision.needs_confirmation
    assert not exclusions().sessions
    assert (queue(first), queue(second)) == ([], [solver.pk])
    study = signed_in(Role.DESIGNER).get(address("insight:study", args=[solver.study_id])).content.decode()
    assert "1 exclusion is proposed. It has no effect until" in study
    agreement = decide(solver, second, SESSION, "idle", "Nothing but pauses, an hour long.")
    assert list(exclusions().sessions) == [solver.pk]
    assert (agreement.confirms, agreement.answers) == (decision, decision)
    assert (agreement.reason, agreement.explanation) == ("idle", "Nothing but pauses, an hour long.")


def flagged_and_without_a_level(session: Session) -> dict[str, Any]:
    return {"kind": SESSION}


def unflagged(session: Session) -> dict[str, Any]:
    return {"kind": SESSION}


def levels_before_the_moment(session: Session) -> dict[str, Any]:
    return {"kind": FROM, "attempt_id": session.attempts.get().pk, "from_seq": 44}


def a_level_after_the_moment(session: Session) -> dict[str, Any]:
    return {"kind": FROM, "attempt_id": session.attempts.get().pk, "from_seq": 43}


@pytest.mark.parametrize(
    ("acts", "hasty", "about", "needed"),
    [
        ([2] * 40, True, flagged_and_without_a_level, False),
        ([2] * 40, False, unflagged, True),
        ([*[2] * 40, 4, 4, 4, 2], True, levels_before_the_moment, False),
        ([*[2] * 40, 4, 4, 4, 2], True, a_level_after_the_moment, True),
    ],
    ids=["flagged, no level", "unflagged", "levels before the moment stay", "a level leaves a baseline"],
)
def test_a_second_reviewer_is_needed_where_nothing_asks_or_a_baseline_moves(
    first: Staff,
    acts: list[int],
    hasty: bool,
    about: Callable[[Session], dict[str, Any]],
    needed: bool,
) -> None:
    session = sittings.sit_down(cases.study_with_people())
    sittings.play(session, acts, seconds_an_action=0.05 if hasty else 2)
    cases.looked_at(session)
    if not hasty:
        session.flags.all().delete()
    given = about(session)
    assert proposed(session, first, given.pop("kind"), **given).needs_confirmation is needed


def test_who_keeps_what_another_proposed_to_exclude_makes_it_fall(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    answer = decide(solver, second, KEEP, "tried")
    assert (answer.answers, answer.confirms) == (decision, None)
    assert not waiting().exists()
    assert not exclusions().sessions
    assert list(in_force()) == [answer]
    assert queue(first) == queue(second) == []


def test_a_verdict_about_less_is_another_verdict_and_waits_for_the_first_reviewer(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    attempt = solver.attempts.get()
    other = proposed(solver, second, ATTEMPT, attempt_id=attempt.pk)
    assert (other.answers, other.confirms, list(waiting())) == (decision, None, [other])
    assert (queue(first), queue(second)) == ([solver.pk], [])
    cases.confirm(other, first)
    assert list(exclusions().attempts) == [attempt.pk]


def test_of_two_moments_what_both_leave_out_is_out(solver: Session, first: Staff, second: Staff) -> None:
    attempt = solver.attempts.get()
    proposed(solver, first, FROM, attempt_id=attempt.pk, from_seq=4)
    proposed(solver, second, FROM, attempt_id=attempt.pk, from_seq=9)
    assert exclusions().attempts[attempt.pk].from_seq == 9


def test_keeping_answers_everything_that_waits(first: Staff, second: Staff) -> None:
    study = cases.study_of_two()
    session = sittings.sit_down(study)
    attempts = [sittings.play(session, [4] * 40) for _ in range(2)]
    both = [proposed(session, first, ATTEMPT, attempt_id=attempt.pk) for attempt in attempts]
    decide(session, second, KEEP, "tried")
    assert not waiting().exists()
    answered = Decision.objects.filter(kind=KEEP).order_by("pk")
    assert [one.answers for one in answered] == both


def test_another_environment_is_another_question(first: Staff, second: Staff) -> None:
    session = sittings.sit_down(cases.study_of_two())
    one, other = (sittings.play(session, [4] * 40) for _ in range(2))
    decision = proposed(session, first, ATTEMPT, attempt_id=one.pk)
    made = proposed(session, second, ATTEMPT, attempt_id=other.pk)
    assert made.answers is None
    assert set(waiting()) == {decision, made}


def test_a_verdict_nobody_may_have_seen_is_not_reversed_by_the_second_reviewer(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    with pytest.raises(Refusal) as refused:
        reverse(decision.pk, second, "disagree")
    assert refused.value.code == "verdict_first"
    reverse(decision.pk, first, "mistake")
    assert not waiting().exists()


def everything_shown(client: Client, session: Session, collection: int) -> str:
    """Every page and answer on which a verdict, its words or its author's notes could be."""
    attempt = session.attempts.get()
    pages = [
        address("review:queue"),
        address("review:case", args=[session.pk]),
        address("review:decisions"),
        address("review:comments", args=[attempt.pk]),
        address("review:attempt", args=[attempt.pk]),
        address("review:journal", args=[attempt.pk]),
        address("review:attempts"),
        address("review:collection", args=[collection]),
        address("insight:study", args=[session.study_id]),
    ]
    answers = [client.get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [200] * len(pages)
    return "".join(answer.content.decode() for answer in answers)


def test_the_second_reviewer_sees_nothing_of_the_first_verdict_before_their_own(
    solver: Session, first: Staff, second: Staff
) -> None:
    attempt = solver.attempts.get()
    add_comment(attempt, first, 3, 6.0, CommentContent.of("Asleep here, surely.", []))
    add_comment(attempt, second, 4, 8.0, CommentContent.of("My own remark.", []))
    collection = create_collection(first, "Moments", "")
    add_item(collection.pk, attempt, 3, "See how he sleeps.")
    proposed(solver, first)
    secret = (
        VERDICT,
        "exclude the whole session",
        "Asleep here, surely.",
        "See how he sleeps.",
        "did not try:",
    )
    shown = everything_shown(signed_in(Role.RESEARCHER), solver, collection.pk)
    assert [text for text in secret if text in shown.replace("Exclude the session", "")] == []
    assert "Give a second verdict" in shown
    assert "on the whole session" in shown
    assert "My own remark." in shown
    assert VERDICT in everything_shown(signed_in(Role.LEAD), solver, collection.pk)
    decide(solver, second, KEEP, "tried")
    shown = everything_shown(signed_in(Role.RESEARCHER), solver, collection.pk)
    for text in (VERDICT, "Asleep here, surely.", "See how he sleeps."):
        assert text in shown
    assert "not in force: researcher gave another verdict" in shown


def test_a_third_reviewer_does_not_see_what_the_verdict_that_waits_answered(
    solver: Session, first: Staff, second: Staff
) -> None:
    proposed(solver, first)
    decide(solver, second, ATTEMPT, "idle", "Long pauses only.", attempt_id=solver.attempts.get().pk)
    third = Staff.objects.create_user("third", role=Role.RESEARCHER)
    client = Client()
    client.force_login(third, backend="django.contrib.auth.backends.ModelBackend")
    for page in (address("review:case", args=[solver.pk]), address("review:decisions")):
        shown = client.get(page).content.decode()
        assert VERDICT not in shown
        assert "Long pauses only." not in shown
    assert queue(third) == [solver.pk]


def test_who_gave_the_second_verdict_is_shown_the_first_one_at_once(solver: Session, first: Staff) -> None:
    proposed(solver, first)
    client = signed_in(Role.RESEARCHER)
    sent = {"kind": "exclude_session", "reason": "idle", "explanation": "Nothing but pauses.", "seen": ""}
    answer = client.post(address("review:decide", args=[solver.pk]), sent, follow=True).content.decode()
    assert "The first reviewer agrees: it is in force." in answer
    assert VERDICT in answer
