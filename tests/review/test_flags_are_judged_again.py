"""When the yardstick moves, undecided sessions are judged again; what was found before is kept beside it."""

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Session, Study
from playtest.review.models import DecisionKind, Flag
from playtest.review.queries.effort import due_sessions, outdated_sessions, superseded_flags
from playtest.review.queries.queue import queue
from playtest.review.services.decisions import reverse as reverse_decision
from playtest.review.tasks.effort import flag_effort, judge_again
from playtest.rules.effort.thresholds import RULE_VERSION
from tests import make
from tests.databases import free_of_triggers
from tests.protocols import prescribed
from tests.review import cases
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LENIENT = {"fast_share": 1}
FOUND = {"no_ops", "repeats", "pattern", "fast"}


@pytest.fixture
def study() -> Study:
    return cases.study_with_people()


@pytest.fixture
def session(study: Study) -> Session:
    return cases.hasty(study)


@pytest.fixture
def reviewer() -> Staff:
    return staff(Role.LEAD)


def change(study: Study, **effort: float) -> None:
    """Other thresholds for sessions that were judged, as an upgrade brought: the version itself is frozen."""
    version = study.newest_version
    with free_of_triggers():
        version.write(prescribed(version.value, effort=effort)).save()


@pytest.mark.services
def test_changed_thresholds_repeat_the_assessment_and_old_flags_are_stored(
    session: Session, reviewer: Staff
) -> None:
    assert queue(reviewer) == [session.pk]
    change(session.study, **LENIENT)
    judge_again()
    assert cases.rules(session) == {"no_ops", "repeats", "pattern"}
    assert queue(reviewer) == []
    stored = superseded_flags().get(session=session, rule="fast")
    assert (stored.rule_version, stored.thresholds) == (RULE_VERSION, {})
    assert stored.superseded_at is not None
    assert [flag.thresholds for flag in cases.found(session)] == [LENIENT] * 3
    assert not outdated_sessions().exists()


def test_who_completed_nothing_is_not_usual(study: Study) -> None:
    """However many hammer the wall, they are compared with the four who completed levels."""
    hasty = [cases.ended(cases.hasty(study)) for _ in range(6)]
    judge_again()
    for session in hasty:
        [flag] = [flag for flag in cases.found(session) if flag.rule == "no_ops"]
        assert flag.figures["others"] == 4
        assert "the median of 4 others who completed something is 0 %" in flag.sentence


def test_a_session_that_ends_moves_what_is_usual_for_those_before(reviewer: Staff) -> None:
    study = make.study()
    session = cases.ended(cases.hasty(study))
    judge_again()
    assert cases.rules(session) == {"fast", "pattern"}, "alone, the person is the norm"
    others = [make.session(study) for _ in range(4)]
    for other in others:
        make.play(other, cases.TRIED)
    assert not outdated_sessions().exists(), "their sessions are not over"
    for other in others:
        cases.ended(other)
    assert session in outdated_sessions()
    judge_again()
    assert cases.rules(session) == FOUND
    assert queue(reviewer) == [session.pk]


def test_what_a_decision_rests_on_stays_until_the_decision_goes(session: Session, reviewer: Staff) -> None:
    decision = settled(session, reviewer, DecisionKind.EXCLUDE_SESSION, "random_input")
    change(session.study, **LENIENT)
    Flag.objects.filter(session=session).update(rule_version="1")
    judge_again()
    flag_effort()
    assert cases.rules(session) == FOUND
    page = signed_in(Role.RESEARCHER).get(reverse("review:case", args=[session.pk])).content.decode()
    assert f"By rule set 1 (today&#x27;s is {RULE_VERSION})." in page
    reverse_decision(decision.pk, reviewer, "mistake")
    judge_again()
    assert cases.rules(session) == {"no_ops", "repeats", "pattern"}
    assert {flag.rule_version for flag in cases.found(session)} == {RULE_VERSION}
    assert set(superseded_flags().values_list("rule_version", flat=True)) == {"1"}


def test_another_attempt_adds_to_what_a_decision_rests_on(reviewer: Staff) -> None:
    study = cases.study_of_two()
    session = cases.hasty(study)
    first = cases.rules(session)
    decision = settled(session, reviewer, DecisionKind.KEEP, "tried")
    change(study, **LENIENT)
    make.play(session, cases.INTO_THE_WALL, seconds_an_action=0.05)
    flag_effort()
    assert cases.rules(session) >= first
    fast = [flag.attempt for flag in cases.found(session) if flag.rule == "fast"]
    assert fast == [session.attempts.get(number=1)]
    assert not due_sessions().exists()
    reverse_decision(decision.pk, reviewer, "mistake", cases.EXPLANATION)
    flag_effort()
    assert "fast" not in cases.rules(session)


def test_a_rehearsal_and_real_people_do_not_move_each_other(study: Study) -> None:
    rehearsal = make.study(rehearsal=True)
    rehearsed = cases.ended(cases.hasty(rehearsal))
    judge_again()
    cases.ended(cases.hasty(study, then=cases.THREE_LEVELS))
    assert rehearsed not in outdated_sessions()
    judge_again()
    cases.ended(cases.hasty(rehearsal))
    assert rehearsed not in outdated_sessions(), "this person completed nothing"
    cases.ended(cases.hasty(rehearsal, then=cases.THREE_LEVELS))
    assert rehearsed in outdated_sessions()


def test_a_case_shows_what_was_found_before_and_by_which_thresholds(session: Session) -> None:
    change(session.study, fast_share=0.5)
    judge_again()
    change(session.study, **LENIENT)
    judge_again()
    client: Client = signed_in(Role.RESEARCHER)
    page = client.get(reverse("review:case", args=[session.pk])).content.decode()
    earlier = page.partition("<summary>")[2].partition("</details>")[0]
    assert "no longer raise" in earlier
    assert f"rule set {RULE_VERSION}, fast_share 0.5" in earlier


def test_whom_reviewers_excluded_is_usual_no_longer(reviewer: Staff) -> None:
    """Four hammer the wall and two do not: once two of the first are excluded, the others stand out."""
    study = make.study()
    hasty = [cases.ended(cases.hasty(study, then=cases.THREE_LEVELS)) for _ in range(4)]
    for _ in range(2):
        other = make.session(study)
        make.play(other, cases.TRIED)
        cases.ended(other)
    judge_again()
    assert "no_ops" not in cases.rules(hasty[3]), "three of five others do the same"
    for session in hasty[:2]:
        settled(session, reviewer, DecisionKind.EXCLUDE_SESSION, "random_input")
    assert hasty[3] in outdated_sessions()
    judge_again()
    assert "no_ops" in cases.rules(hasty[3])
