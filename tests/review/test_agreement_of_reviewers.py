"""Which unflagged sessions are drawn for a review, and how far two reviewers agree."""

import pytest
from django.urls import reverse as address

from playtest.insight.paper.report import conduct
from playtest.insight.paper.report.gathered import Gathered
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Session, Study
from playtest.review.models import DecisionKind, Opening
from playtest.review.queries.agreement import KEEP, PART, SESSION, review_report
from playtest.review.queries.queue import drawn, flagged_by_rule, is_open, queue
from playtest.review.services.decisions import decide, reverse
from playtest.rules.agreement import FORMULA, is_drawn
from playtest.rules.reporting.document import Fact
from tests import make
from tests.review import cases
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

EXPLANATION = "Watched all of it twice."
SOLVED = [4, 4, 4, 2]


def played(study: Study, *, simulated: bool = False) -> Session:
    session = make.session(study, new_participant(simulated=simulated))
    make.play(session, SOLVED)
    return session


def judged(
    session: Session,
    first: Staff,
    one: DecisionKind,
    second: Staff,
    other: DecisionKind,
    blind: tuple[bool | None, bool | None] = (None, None),
) -> None:
    for reviewer, kind, hidden in zip((first, second), (one, other), blind, strict=True):
        attempt = session.attempts.get().pk if kind == DecisionKind.EXCLUDE_ATTEMPT else None
        reason = "tried" if kind == DecisionKind.KEEP else "idle"
        decide(session, reviewer, kind, reason, EXPLANATION, attempt_id=attempt, blind=hidden)


def test_an_unflagged_session_is_drawn_once_it_has_ended(first: Staff, second: Staff) -> None:
    session = played(make.study(review_share=1.0))
    assert not is_open(session)
    cases.ended(session)
    assert is_open(session)
    assert queue(first) == queue(second) == [session.pk]
    decision = decide(session, first, DecisionKind.KEEP, "tried", EXPLANATION)
    assert (decision.opened_by, decision.needs_confirmation) == (Opening.DRAW, True)
    assert (queue(first), queue(second)) == ([], [session.pk])
    cases.confirm(decision, second)
    assert not is_open(session)
    assert queue(second) == []


def test_the_draw_follows_the_protocol_of_the_session_and_its_seals(first: Staff) -> None:
    study = make.study(review_share=0.5)
    sessions = [cases.ended(played(study)) for _ in range(12)]
    expected = {
        session.pk
        for session in sessions
        if is_drawn(session.pk, [bytes(one.seal or b"") for one in session.attempts.all()], 0.5)
    }
    assert drawn() == set(queue(first)) == expected
    nobody = make.study(review_share=0.0)
    cases.ended(played(nobody))
    assert drawn() == expected


def test_a_simulated_person_is_not_drawn(first: Staff) -> None:
    cases.ended(played(make.study(review_share=1.0), simulated=True))
    assert queue(first) == []


def test_the_report_counts_pairs_and_their_agreement(first: Staff, second: Staff) -> None:
    study = make.study(review_share=1.0)
    keep, part, all_of_it = (DecisionKind.KEEP, DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_SESSION)
    verdicts = [(keep, keep)] * 3 + [(all_of_it, all_of_it), (part, keep)]
    sessions = [cases.ended(played(study)) for _ in range(len(verdicts) + 2)]
    for session, (one, other) in zip(sessions, verdicts, strict=False):
        judged(session, first, one, second, other)
    decide(sessions[-1], first, all_of_it, "idle", EXPLANATION)
    found = review_report(study)
    assert (found.ended, found.unflagged, found.drawn.sessions, found.drawn.decided) == (7, 7, 7, 4)
    assert found.pairs == {(KEEP, KEEP): 3, (SESSION, SESSION): 1, (PART, KEEP): 1}
    assert (found.second, found.third) == (1, 1)
    assert found.agreement.kappa == pytest.approx((0.8 - 0.52) / 0.48)
    page = signed_in(Role.RESEARCHER).get(address("review:agreement")).content.decode()
    for shown in ("7 of 7 unflagged, of which 4 decided", "4 of 5: 80 % [", "0.58 ["):
        assert shown in page


def test_the_agreement_of_blind_verdicts_is_apart(first: Staff, second: Staff) -> None:
    study = make.study(review_share=1.0)
    keep, out = DecisionKind.KEEP, DecisionKind.EXCLUDE_SESSION
    for other, blind in (
        (keep, (True, True)),
        (out, (True, True)),
        (keep, (True, False)),
        (out, (None, True)),
    ):
        judged(cases.ended(played(study)), first, keep, second, other, blind)
    found = review_report(study)
    assert (found.agreement.pairs, found.blind.pairs) == (4, 2)
    assert found.blind.agreed is not None
    assert found.blind.agreed.count == 1
    page = signed_in(Role.RESEARCHER).get(address("review:agreement")).content.decode()
    assert "2 sessions, 1 with the same verdict" in page


def test_report_agreement_and_robustness_count_the_same_flagged_sessions() -> None:
    study = cases.study_with_people()
    opened, light = cases.ended(cases.hasty(study)), cases.ended(cases.hasty(study))
    light.flags.exclude(rule="fast").delete()
    found = review_report(study)
    assert (found.ended, found.flagged.sessions) == (2, 1)
    assert facts(study)["Sessions flagged for review"].startswith("1 of 2")
    assert {pk for of_rule in flagged_by_rule(study.sessions.all()).values() for pk in of_rule} == {opened.pk}
    page = signed_in(Role.RESEARCHER).get(address("review:agreement")).content.decode()
    assert "<dt>Opened by flags</dt><dd>1," in page


def test_who_judges_again_has_read_the_earlier_verdicts_and_is_not_counted(
    first: Staff, second: Staff
) -> None:
    session = cases.ended(played(make.study(review_share=1.0)))
    judged(session, first, DecisionKind.KEEP, second, DecisionKind.KEEP)
    reverse(session.decisions.order_by("pk")[0].pk, first, "mistake", EXPLANATION)
    judged(session, first, DecisionKind.EXCLUDE_SESSION, second, DecisionKind.EXCLUDE_SESSION)
    assert review_report(session.study).pairs == {(KEEP, KEEP): 1}


def test_a_page_without_sessions_says_when_there_will_be_some() -> None:
    assert (
        "No session has ended yet." in signed_in(Role.LEAD).get(address("review:agreement")).content.decode()
    )


def test_the_report_of_a_study_has_the_agreement_and_nothing_of_what_waits(
    first: Staff, second: Staff
) -> None:
    study = make.study(review_share=1.0)
    one, other = (cases.ended(played(study)) for _ in range(2))
    judged(one, first, DecisionKind.KEEP, second, DecisionKind.EXCLUDE_SESSION)
    before = facts(study)
    assert before["Sessions with two independent verdicts"] == "1 session"
    assert before["The same verdict"].startswith("0 of 1")
    assert before[FORMULA].startswith("0.00. No interval: one pair")
    decide(other, first, DecisionKind.EXCLUDE_SESSION, "idle", EXPLANATION)
    changed = {name for name, value in facts(study).items() if before[name] != value}
    assert changed == {"Sessions that wait for another reviewer"}


def facts(study: Study) -> dict[str, str]:
    """What the report says of quality control, by label."""
    found = conduct.quality(Gathered(study))
    return {each.label: each.value for each in found if isinstance(each, Fact)}
