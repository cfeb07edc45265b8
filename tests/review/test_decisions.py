"""What reviewers decide holds, is confirmed and reversed; mistakes and what they may not do are refused."""

from typing import Any

import pytest
from django.urls import reverse

from playtest.center.pay.accounts import session_pay
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.people.roles import Right, Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Session
from playtest.review.models import Decision, DecisionKind, Export, ExportKind
from playtest.review.queries.decisions import in_force
from playtest.review.queries.exclusions import Exclusions, exclusions
from playtest.review.services import decisions as services
from playtest.review.services.decisions import reverse as take_back
from playtest.rules.attempt import Outcome
from playtest.rules.effort.thresholds import RULE_VERSION
from tests import make
from tests.live.games import WALK
from tests.refusals import refused
from tests.review import cases
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


KEEP, SESSION = DecisionKind.KEEP, DecisionKind.EXCLUDE_SESSION
ATTEMPT, FROM = DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM
NOTHING = Exclusions({}, {})


def decide(session: Session, reviewer: Staff, kind: DecisionKind, reason: str, **about: Any) -> Decision:
    """With explanation, which every exclusion needs."""
    return services.decide(session, reviewer, kind, reason, cases.EXPLANATION, **about)


@pytest.fixture
def session() -> Session:
    return cases.one_hasty()


@pytest.fixture
def strong() -> Session:
    return cases.one_cycler()


def attempt_of(session: Session) -> Attempt:
    found = session.attempts.first()
    assert found is not None
    return found


def test_flags_alone_exclude_nobody_and_touch_no_pay(strong: Session) -> None:
    before = session_pay(strong)
    assert cases.found(strong)
    assert exclusions() == NOTHING
    assert session_pay(strong) == before


def test_an_excluded_session_is_paid_all_the_same(first: Staff) -> None:
    session = make.session(make.study())
    make.play(session, WALK, Outcome.COMPLETED)
    before = session_pay(session)
    cases.settled(session, first, SESSION, "did_not_try")
    assert exclusions().sessions
    assert session_pay(session) == before
    assert before is not None
    assert before.solved == 1


def test_a_decision_keeps_who_when_why_and_by_which_rules(session: Session, first: Staff) -> None:
    decision = services.decide(session, first, SESSION, "other", "  Asleep from the start. ")
    assert (decision.reviewer, decision.reason, decision.explanation) == (
        first,
        "other",
        "Asleep from the start.",
    )
    assert decision.rule_version == RULE_VERSION
    assert decision.decided_at is not None


def test_what_is_excluded_is_known_by_session_attempt_and_moment(session: Session, first: Staff) -> None:
    other = cases.hasty(session.study)
    third = cases.hasty(session.study)
    decide(session, first, SESSION, "did_not_try")
    decide(other, first, ATTEMPT, "random_input", attempt_id=attempt_of(other).pk)
    decide(third, first, FROM, "disturbed", attempt_id=attempt_of(third).pk, from_seq=7)
    found = exclusions()
    assert found.of(session.pk, attempt_of(session).pk, 1) is not None
    whole = found.of(other.pk, attempt_of(other).pk, 1)
    assert whole is not None
    assert whole.why == "pressed keys at random"
    assert found.of(third.pk, attempt_of(third).pk, 6) is None
    assert found.of(third.pk, attempt_of(third).pk, 7) is not None


def test_every_kind_of_decision_can_be_reversed(session: Session, first: Staff, second: Staff) -> None:
    attempt = attempt_of(session)
    kinds: list[tuple[DecisionKind, str, dict[str, Any]]] = [
        (KEEP, "tried", {}),
        (SESSION, "idle", {}),
        (ATTEMPT, "idle", {"attempt_id": attempt.pk}),
        (FROM, "idle", {"attempt_id": attempt.pk, "from_seq": 3}),
    ]
    for kind, reason, subject in kinds:
        take_back(decide(session, first, kind, reason, **subject).pk, second, "mistake")
        assert not in_force().exists()
    assert Decision.objects.count() == 8


def test_a_reversed_confirmed_exclusion_no_longer_holds(strong: Session, first: Staff, second: Staff) -> None:
    decision = decide(strong, first, SESSION, "cycled")
    cases.confirm(decision, second)
    with refused("explanation_missing"):
        take_back(decision.pk, second, "new_evidence")
    take_back(decision.pk, second, "new_evidence", "The mouse had been broken.")
    assert exclusions() == NOTHING
    again = decide(strong, second, SESSION, "cycled")
    cases.confirm(again, first)
    assert list(exclusions().sessions) == [strong.pk]


def test_a_reversed_decision_cannot_be_confirmed_or_reversed_again(
    strong: Session, first: Staff, second: Staff
) -> None:
    decision = decide(strong, first, SESSION, "cycled")
    take_back(decision.pk, first, "mistake")
    with refused("reversed_already"):
        take_back(decision.pk, second, "mistake")


def test_only_a_first_reviewers_decision_is_reversed(strong: Session, first: Staff, second: Staff) -> None:
    decision = decide(strong, first, SESSION, "cycled")
    agreement = cases.confirm(decision, second)
    reversal = take_back(decision.pk, second, "mistake", cases.EXPLANATION)
    for row in (agreement, reversal):
        with refused("not_reversible"):
            take_back(row.pk, first, "mistake")


@pytest.mark.parametrize(
    ("code", "kind", "reason", "explanation", "subject"),
    [
        ("reason_unknown", KEEP, "did_not_try", "", {}),
        ("reason_unknown", SESSION, "tried", "", {}),
        ("reason_unknown", SESSION, "", "", {}),
        ("explanation_missing", SESSION, "other", "  ", {}),
        ("explanation_missing", KEEP, "other", "  ", {}),
        ("explanation_missing", SESSION, "idle", "", {}),
        ("explanation_missing", SESSION, "idle", "  too few  ", {}),
        ("explanation_missing", ATTEMPT, "idle", "", {"attempt_id": 0}),
        ("explanation_missing", FROM, "idle", "", {"attempt_id": 0, "from_seq": 3}),
        ("explanation_too_long", SESSION, "idle", "x" * 2_001, {}),
        ("attempt_missing", ATTEMPT, "idle", cases.EXPLANATION, {}),
        ("attempt_elsewhere", ATTEMPT, "idle", cases.EXPLANATION, {"attempt_id": -1}),
        ("moment_missing", FROM, "idle", cases.EXPLANATION, {"attempt_id": 0}),
        ("moment_out_of_range", FROM, "idle", cases.EXPLANATION, {"attempt_id": 0, "from_seq": 0}),
        ("moment_out_of_range", FROM, "idle", cases.EXPLANATION, {"attempt_id": 0, "from_seq": 41}),
    ],
)
def test_a_mistake_is_refused(
    session: Session,
    first: Staff,
    code: str,
    kind: DecisionKind,
    reason: str,
    explanation: str,
    subject: dict[str, Any],
) -> None:
    if subject.get("attempt_id") == 0:
        subject = {**subject, "attempt_id": attempt_of(session).pk}
    with refused(code):
        services.decide(session, first, kind, reason, explanation, **subject)
    assert not Decision.objects.exists()


def test_the_first_and_the_last_action_can_be_a_moment(session: Session, first: Staff) -> None:
    attempt = attempt_of(session)
    for seq in (1, 40):
        decision = decide(session, first, FROM, "idle", attempt_id=attempt.pk, from_seq=seq)
        assert exclusions().attempts[attempt.pk].from_seq == seq
        take_back(decision.pk, first, "mistake")


def test_a_simultaneous_disagreement_of_reviewers_is_reported(
    session: Session, first: Staff, second: Staff
) -> None:
    decide(session, first, KEEP, "tried")
    for kind, reason in ((SESSION, "did_not_try"), (KEEP, "tried")):
        with refused("kept_already"):
            decide(session, second, kind, reason)


def test_the_same_thing_is_not_excluded_twice(session: Session, first: Staff, second: Staff) -> None:
    attempt = attempt_of(session)
    decide(session, first, FROM, "idle", attempt_id=attempt.pk, from_seq=3)
    for kind, reason in ((ATTEMPT, "idle"), (KEEP, "tried")):
        with refused("excluded_already"):
            decide(session, second, kind, reason, attempt_id=attempt.pk)
    decide(session, second, SESSION, "idle")
    with refused("excluded_already"):
        decide(session, first, SESSION, "idle")


def test_a_decision_to_keep_yields_to_newer_flags(session: Session, first: Staff) -> None:
    decide(session, first, KEEP, "tried")
    for flag in cases.found(session):
        flag.raised_at = Decision.objects.get().decided_at
        flag.save()
    decide(session, first, SESSION, "did_not_try")
    assert list(exclusions().sessions) == [session.pk]


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4])


def test_data_that_names_people_is_neither_listed_nor_given_to_others(attempt: Attempt) -> None:
    study = attempt.session.study
    export = Export.objects.create(
        kind=ExportKind.STUDY_CSV, study=study, status=JobStatus.WAITING, options={"identified": True},
        requested_at=now(),
    )  # fmt: skip
    researcher = signed_in(Role.RESEARCHER)
    for name in ("export-file", "export-cancel"):
        address = reverse(f"review:{name}", args=[export.pk])
        answer = researcher.post(address) if name == "export-cancel" else researcher.get(address)
        assert answer.status_code == 403
        assert Right.TAKE_IDENTIFIED.label in answer.content.decode()
    assert study.name not in researcher.get(reverse("review:exports")).content.decode()
    assert study.name in signed_in(Role.LEAD).get(reverse("review:exports")).content.decode()
    export.refresh_from_db()
    assert export.status == JobStatus.WAITING


@pytest.mark.parametrize("text", ["half \\ud800 a letter", "nothing \\u0000 here"])
def test_text_no_database_takes_is_refused(text: str, attempt: Attempt) -> None:
    researcher = signed_in(Role.RESEARCHER)
    address = reverse("review:comments", args=[attempt.pk])
    for body in (
        f'{{"seq": 1, "seconds": 1, "text": "{text}"}}',
        f'{{"seq": 1, "seconds": 1, "tags": ["{text}"]}}',
    ):
        answer = researcher.post(address, body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")


def test_a_request_nested_too_deeply_is_refused(attempt: Attempt) -> None:
    address = reverse("review:comments", args=[attempt.pk])
    answer = signed_in(Role.RESEARCHER).post(address, "[" * 200_000, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")
