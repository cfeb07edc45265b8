"""Raising effort flags. They are derived: computed again from the same journal, the same rows come out."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from playtest.play.models import Attempt, Session
from playtest.review.models import Assessment, Flag
from playtest.review.queries import effort as queries
from playtest.rules.effort import RULE_VERSION, Finding, Norms, Thresholds, findings, norms, thresholds


def assess(sessions: Iterable[Session]) -> int:
    """Let the rules look at these sessions and keep what they find; how many flags stand in them.

    Sessions come with their study. What is usual in an environment is read once for all of them. Raises
    RuleError when a study's thresholds make no sense.
    """
    known: dict[tuple[int, int | None, Thresholds], Norms | None] = {}
    return sum(_assess(session, known) for session in sessions)


def _assess(session: Session, known: dict[tuple[int, int | None, Thresholds], Norms | None]) -> int:
    limits = thresholds(session.study.effort)
    ended = queries.ended_attempts(session)
    attempts = queries.judged_attempts(session)
    evidence = queries.evidence(session, attempts)
    usual = _usual({attempt.version for attempt in evidence}, session, limits, known)
    for attempt in evidence:  # nobody real has been there yet: a simulated person is compared with themselves
        usual.setdefault(attempt.version, norms([attempt], limits))
    found = findings(evidence, usual, limits, {attempt.pk: attempt.seed for attempt in attempts})
    _keep(session, ended, [_flag(session, finding, attempts) for finding in found])
    return len(found)


def _usual(
    versions: set[int],
    session: Session,
    limits: Thresholds,
    known: dict[tuple[int, int | None, Thresholds], Norms | None],
) -> dict[int, Norms]:
    own = session.study_id if session.study.rehearsal else None
    keys = {version: (version, own, limits) for version in versions}
    if missing := [version for version, key in keys.items() if key not in known]:
        found = queries.usual(missing, session, limits)
        known.update({keys[version]: found.get(version) for version in missing})
    return {version: norm for version, key in keys.items() if (norm := known[key]) is not None}


def _flag(session: Session, finding: Finding, attempts: list[Attempt]) -> Flag:
    """Raised when the last attempt it speaks of ended: that is when there was enough to see."""
    spoken_of = {attempt for attempt, _ in finding.moments}
    return Flag(
        session=session,
        attempt_id=finding.attempt,
        rule=finding.rule,
        rule_version=RULE_VERSION,
        strength=finding.strength,
        figures={**finding.figures, "moments": [list(moment) for moment in finding.moments]},
        sentence=finding.sentence,
        raised_at=max(
            attempt.ended_at for attempt in attempts if attempt.pk in spoken_of and attempt.ended_at
        ),
    )


def _keep(session: Session, ended: int, found: list[Flag]) -> None:
    """Make these the session's flags. Rows that say the same stay; a look older than the last is dropped."""
    with transaction.atomic():
        assessment, _ = Assessment.objects.select_for_update().get_or_create(
            session=session, defaults={"rule_version": RULE_VERSION, "attempts": ended}
        )
        if assessment.rule_version == RULE_VERSION and assessment.attempts > ended:
            return
        Assessment.objects.filter(pk=assessment.pk).update(rule_version=RULE_VERSION, attempts=ended)
        standing = {
            (flag.attempt_id, flag.rule): flag
            for flag in Flag.objects.filter(session=session, rule_version=RULE_VERSION)
        }
        for flag in found:
            before = standing.pop((flag.attempt_id, flag.rule), None)
            if before is not None and _content(before) == _content(flag):
                continue
            flag.pk = before.pk if before else None
            flag.save()
        Flag.objects.filter(pk__in=[flag.pk for flag in standing.values()]).delete()


def _content(flag: Flag) -> tuple[Any, ...]:
    return flag.strength, flag.figures, flag.sentence, flag.raised_at
