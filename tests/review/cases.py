"""Sessions for tests of effort flags and reviews: people who try, and people who do not."""

from collections.abc import Sequence
from typing import Any

from playtest.people.models import Participant, Staff
from playtest.people.roles import Role
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.review.models import Decision, DecisionKind, Flag
from playtest.review.queries.effort import flags
from playtest.review.services.decisions import decide
from playtest.review.services.effort import assess
from tests import make
from tests.remembered import remembered
from tests.staff import staff

TO_AND_FRO = [4, 3] * 20
THREE_LEVELS = [4, 4, 4, 2, 2, 2, 1, 1, 4]
"""Completes three levels of wk01: whoever does so belongs to the norms."""
TRIED = [*TO_AND_FRO, *THREE_LEVELS]
INTO_THE_WALL = [2] * 40


@remembered
def study_of_two(**settings: Any) -> Study:
    """A study with two environments in its pool, both tried by two people who complete levels."""
    tried = {"wk01": [*[0] * 40, *THREE_LEVELS], "rn01": [0] * 40}
    pool = [make.environment("wk01"), make.environment("rn01")]
    study = make.study(pool=pool, **settings)
    for _ in range(2):
        session = make.session(study)
        make.play(session, tried, minutes_ago=30)
        make.play(session, tried, minutes_ago=20)
    return study


@remembered
def study_with_people(**settings: Any) -> Study:
    """A study in which four people have tried and completed three levels."""
    study = make.study(**settings)
    for _ in range(4):
        make.play(make.session(study), TRIED, minutes_ago=30)
    return study


def hasty(
    study: Study,
    person: Participant | None = None,
    *,
    minutes_ago: float = 20,
    then: Sequence[int] = (),
) -> Session:
    """Someone who hammers one key against the wall: no-ops, repeats and fast, none of them strong."""
    session = make.session(study, person)
    make.play(session, [*INTO_THE_WALL, *then], seconds_an_action=0.05, minutes_ago=minutes_ago)
    return looked_at(session)


def cycler(study: Study, *, minutes_ago: float = 20) -> Session:
    """Someone who leaves both environments of `study_of_two` at once: cycling, and a strong effort flag."""
    session = make.session(study)
    make.play(session, [0], minutes_ago=minutes_ago)
    make.play(session, [0], minutes_ago=minutes_ago)
    return looked_at(session)


@remembered
def one_hasty() -> Session:
    """The hasty one among people who try."""
    return hasty(study_with_people())


@remembered
def one_cycler() -> Session:
    return cycler(study_of_two())


EXPLANATION = "Looked at the whole replay."


def settled(
    session: Session,
    reviewer: Staff,
    kind: DecisionKind,
    reason: str,
    explanation: str = EXPLANATION,
    **about: Any,
) -> Decision:
    """A decision in force: somebody else comes to the same, where that is needed."""
    made = decide(session, reviewer, kind, reason, explanation, **about)
    if made.needs_confirmation:
        confirm(made, someone_else(reviewer))
    return made


def confirm(first: Decision, reviewer: Staff) -> Decision:
    """A second reviewer comes to the same."""
    return decide(
        first.session,
        reviewer,
        DecisionKind(first.kind),
        first.reason,
        EXPLANATION,
        attempt_id=first.attempt_id,
        from_seq=first.from_seq,
        more=[(part.attempt_id, part.from_seq) for part in first.parts.order_by("pk") if part.attempt_id],
    )


def someone_else(reviewer: Staff) -> Staff:
    return staff(Role.RESEARCHER if reviewer.role == Role.LEAD else Role.LEAD)


def looked_at(session: Session) -> Session:
    assess([session])
    return session


def found(session: Session) -> list[Flag]:
    return list(flags().filter(session=session))


def rules(session: Session) -> set[str]:
    return {flag.rule for flag in found(session)}


def ended(session: Session) -> Session:
    end_session(session, SessionEnd.POOL_USED_UP)
    session.refresh_from_db()
    return session
