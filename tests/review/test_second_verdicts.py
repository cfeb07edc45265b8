"""A second reviewer judges without having seen the first verdict; until both agree everything counts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse as address

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Attempt, Session
from playtest.review.models import Decision, DecisionKind, Opening
from playtest.review.queries import dataset
from playtest.review.queries.decisions import disputed, in_force, waiting
from playtest.review.queries.exclusions import exclusions
from playtest.review.queries.queue import queue
from playtest.review.services.collections import CommentContent, add_comment, add_item, create_collection
from playtest.review.services.decisions import decide, reverse
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.refusals import refused
from tests.review import cases
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

KEEP, SESSION = DecisionKind.KEEP, DecisionKind.EXCLUDE_SESSION
ATTEMPT, FROM = DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM
VERDICT = "Stared at the ceiling all along."


@pytest.fixture
def solver() -> Session:
    """Unflagged, and solved everything there was."""
    session = make.session(make.study())
    make.play(session, WALK, Outcome.COMPLETED)
    return cases.looked_at(session)


@pytest.fixture
def third() -> Staff:
    return Staff.objects.create_user("third", role=Role.RESEARCHER)


def signed_in_as(reviewer: Staff) -> Client:
    client = Client()
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def proposed(session: Session, first: Staff, kind: DecisionKind = SESSION, **about: Any) -> Decision:
    return decide(session, first, kind, "did_not_try", VERDICT, **about)


@pytest.mark.services
def test_who_was_unflagged_and_successful_stays_counted_until_two_agree(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    assert decision.needs_confirmation
    assert decision.opened_by == Opening.REVIEWER
    assert not exclusions().sessions
    assert (queue(first), queue(second)) == ([], [solver.pk])
    study = signed_in(Role.DESIGNER).get(address("insight:study", args=[solver.study_id])).content.decode()
    assert "1 session waits for a second or third reviewer" in study
    agreement = decide(solver, second, SESSION, "idle", "Nothing but pauses, an hour long.")
    assert list(exclusions().sessions) == [solver.pk]
    assert (agreement.confirms, agreement.answers) == (decision, decision)
    assert (agreement.reason, agreement.explanation) == ("idle", "Nothing but pauses, an hour long.")


@pytest.mark.parametrize(
    ("acts", "flagged", "needed"),
    [([2] * 40, True, False), ([2] * 40, False, True), ([*[2] * 40, 4, 4, 4, 2], True, True)],
    ids=["flagged, no level", "unflagged", "a level may be in a baseline"],
)
def test_a_second_reviewer_is_needed_by_the_session_and_not_by_the_first_verdict(
    first: Staff, acts: list[int], flagged: bool, needed: bool
) -> None:
    session = make.session(cases.study_with_people())
    make.play(session, acts, seconds_an_action=0.05)
    cases.looked_at(session)
    if not flagged:
        session.flags.all().delete()
    assert decide(session, first, KEEP, "tried", VERDICT).needs_confirmation is needed


def test_two_verdicts_that_differ_are_settled_by_a_third_who_has_read_both(
    solver: Session, first: Staff, second: Staff, third: Staff
) -> None:
    decision = proposed(solver, first)
    answer = decide(solver, second, KEEP, "tried", "He read every level with care.")
    assert (answer.answers, answer.confirms) == (decision, None)
    assert not exclusions().sessions
    assert list(disputed()) == [answer]
    assert (queue(first), queue(second), queue(third)) == ([], [], [solver.pk])
    for one in (first, second):
        with refused("third_reviewer_needed"):
            decide(solver, one, KEEP, "tried", VERDICT)
        with refused("not_reversible"):
            reverse(decision.pk, one, "mistake", VERDICT)
    page = signed_in_as(third).get(address("review:case", args=[solver.pk])).content.decode()
    assert VERDICT in page
    assert "He read every level with care." in page
    assert "Settle this session." in page
    settled = decide(solver, third, SESSION, "idle", "Both are right, but he was idle.")
    assert (settled.settles, list(in_force()), list(exclusions().sessions)) == (
        answer,
        [settled],
        [solver.pk],
    )
    assert queue(first) == queue(second) == queue(third) == []


def test_of_two_moments_what_both_leave_out_is_out(solver: Session, first: Staff, second: Staff) -> None:
    attempt = solver.attempts.get()
    proposed(solver, first, FROM, attempt_id=attempt.pk, from_seq=4)
    proposed(solver, second, FROM, attempt_id=attempt.pk, from_seq=9)
    assert exclusions().attempts[attempt.pk].from_seq == 9


@pytest.fixture
def pair() -> list[Attempt]:
    """One person's attempts on two environments."""
    session = make.session(cases.study_of_two())
    return [make.play(session, [4] * 40) for _ in range(2)]


def test_one_verdict_is_about_all_environments_and_is_confirmed_as_a_whole(
    pair: list[Attempt], first: Staff, second: Staff
) -> None:
    one, other = pair
    decision = proposed(one.session, first, ATTEMPT, attempt_id=one.pk, more=[(other.pk, 9)])
    assert not exclusions().attempts
    proposed(one.session, second, FROM, attempt_id=other.pk, from_seq=7, more=[(one.pk, None)])
    found = exclusions().attempts
    assert (found[one.pk].from_seq, found[other.pk].from_seq) == (0, 9)
    reverse(decision.pk, second, "mistake", VERDICT)
    assert not exclusions().attempts


def test_who_leaves_out_less_has_given_another_verdict(
    pair: list[Attempt], first: Staff, second: Staff, third: Staff
) -> None:
    one, other = pair
    proposed(one.session, first, ATTEMPT, attempt_id=one.pk, more=[(other.pk, None)])
    proposed(one.session, second, ATTEMPT, attempt_id=other.pk)
    assert not exclusions().attempts
    proposed(one.session, third, ATTEMPT, attempt_id=other.pk, more=[(one.pk, 30)])
    found = exclusions().attempts
    assert {pk: part.from_seq for pk, part in found.items()} == {other.pk: 0, one.pk: 30}


def test_an_environment_is_chosen_once(pair: list[Attempt], first: Staff) -> None:
    with refused("attempt_twice"):
        proposed(pair[0].session, first, ATTEMPT, attempt_id=pair[0].pk, more=[(pair[0].pk, 3)])


def test_nobody_gives_a_second_verdict_on_their_own(solver: Session, first: Staff) -> None:
    proposed(solver, first)
    with refused("verdict_waits"):
        decide(solver, first, KEEP, "tried", VERDICT)


def test_a_verdict_nobody_may_have_seen_is_not_reversed_by_the_second_reviewer(
    solver: Session, first: Staff, second: Staff
) -> None:
    decision = proposed(solver, first)
    with refused("verdict_first"):
        reverse(decision.pk, second, "disagree")
    reverse(decision.pk, first, "mistake")
    assert not waiting().exists()
    assert queue(first) == queue(second) == []


def test_a_verdict_that_was_taken_back_shows_only_once_two_have_judged(
    solver: Session, first: Staff, second: Staff
) -> None:
    client = signed_in_as(staff(Role.RESEARCHER))
    pages = [address("review:case", args=[solver.pk]), address("review:decisions")]
    before = [seen_at(client, page) for page in pages]
    reverse(proposed(solver, first).pk, first, "mistake", "I had the wrong person.")
    assert [seen_at(client, page) for page in pages] == before
    assert VERDICT in seen_at(signed_in_as(staff(Role.LEAD)), pages[0])
    assert list(dataset_decisions(solver)) == []
    decide(solver, first, KEEP, "tried", "This time the right one.")
    assert [seen_at(client, page) for page in pages] == before
    decide(solver, second, KEEP, "tried", "Looked at it twice.")
    for shown in (VERDICT, "I had the wrong person."):
        assert shown in seen_at(client, pages[0])
    assert len(list(dataset_decisions(solver))) == 4


def seen_at(client: Client, place: str) -> str:
    answer = client.get(place)
    assert answer.status_code == 200
    return visible(answer.content.decode())


def visible(page: str) -> str:
    """A page without its token, its clocks, and the length of the queue."""
    page = re.sub("[0-9:]+ of the session left", "", page)
    page = re.sub("csrfmiddlewaretoken.*|nonce=\\S*|[0-9]+ sessions? (waits?|to review)[a-z ]*", "", page)
    return re.sub("<a role=.button. class=.secondary outline.*", "", page)


def everything_shown(client: Client, session: Session, collection: int) -> str:
    """Every page and answer on which a verdict, its words or its author's notes could be."""
    attempt = session.attempts.get()
    pages = [
        address("review:queue"),
        address("review:case", args=[session.pk]),
        address("review:decisions"),
        address("review:agreement"),
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
    decision = proposed(solver, first)
    shown = everything_shown(signed_in(Role.RESEARCHER), solver, collection.pk)
    for secret in (VERDICT, "Asleep here, surely.", "See how he sleeps."):
        assert secret not in shown
    assert not re.search(f"decisions/{decision.pk}/|excluded by reviewers|about this session", shown)
    assert "Two reviewers judge this session" in shown
    assert "My own remark." in shown
    assert list(dataset_decisions(solver)) == []
    assert VERDICT in everything_shown(signed_in(Role.LEAD), solver, collection.pk)
    decide(solver, second, KEEP, "tried", "I saw something else.")
    shown = everything_shown(signed_in(Role.RESEARCHER), solver, collection.pk)
    for text in (VERDICT, "Asleep here, surely.", "See how he sleeps."):
        assert text in shown
    assert "not in force: researcher gave another verdict; a third reviewer settles it" in shown
    assert len(list(dataset_decisions(solver))) == 2


def test_every_first_verdict_looks_the_same_to_the_second_reviewer(
    second: Staff, pair: list[Attempt]
) -> None:
    session, client = pair[0].session, signed_in_as(staff(Role.LEAD))
    pages = []
    verdicts: list[tuple[DecisionKind, str, dict[str, Any]]] = [
        (KEEP, "tried", {}),
        (SESSION, "idle", {}),
        (ATTEMPT, "idle", {"attempt_id": pair[0].pk}),
        (FROM, "idle", {"attempt_id": pair[1].pk, "from_seq": 5}),
    ]
    for kind, reason, about in verdicts:
        with transaction.atomic():
            decide(session, second, kind, reason, VERDICT, **about)
            pages.append(
                [
                    seen_at(client, place)
                    for place in (
                        address("review:queue"),
                        address("review:agreement"),
                        address("insight:study", args=[session.study_id]),
                        address("review:attempt", args=[pair[0].pk]),
                        address("center:session", args=[session.pk]),
                    )
                ]
            )
            transaction.set_rollback(True)
    assert pages == [pages[0]] * 4


def dataset_decisions(session: Session) -> Iterator[tuple[Any, ...]]:
    return dataset.decisions(session.study, dataset.Names(session.study, identified=True))
