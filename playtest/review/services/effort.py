"""Raises effort flags. They follow from the journal and can be computed again."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from playtest.play.clock import now
from playtest.play.models import Attempt, Session
from playtest.play.sessions.locks import locked_session
from playtest.review.models import Assessment, Flag
from playtest.review.queries import effort as queries
from playtest.review.queries import effort_evidence as journal
from playtest.review.queries.decisions import standing
from playtest.review.queries.effort_evidence import judged_tasks, task_views
from playtest.rules.effort import findings
from playtest.rules.effort.attempts import cut_off
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Norms
from playtest.rules.effort.norms import NormSample
from playtest.rules.effort.thresholds import RULE_VERSION, Thresholds
from playtest.rules.tasks.effort import task_findings
from playtest.studio.queries.fewest import Fewest, fewest_stored


def assess(sessions: Iterable[Session]) -> int:
    """Applies the effort rules to these sessions and stores the flags; returns their number.

    Sessions come with their study and protocol. The norms of an environment are read once for all of them.
    """
    cache = _NormCache()
    return sum(_assess(session, cache) for session in sessions)


class _NormCache:
    """The norms of each version, read once. Their state is read first, so a later change is noticed."""

    def __init__(self) -> None:
        self._states = queries.norm_states()
        self._fewest: dict[int, Fewest] = {}
        self._known: dict[tuple[int, int | None, Thresholds], NormSample | None] = {}

    def norms(
        self, attempts: list[AttemptEvidence], session: Session, limits: Thresholds
    ) -> dict[int, Norms]:
        """The norms of each version, from everybody but the person of these attempts."""
        keys = {attempt.version: (attempt.version, _alone(session), limits) for attempt in attempts}
        if missing := [version for version, key in keys.items() if key not in self._known]:
            found = journal.norm_samples(missing, session, limits)
            self._known.update({keys[version]: found.get(version) for version in missing})
        others = {
            attempt.version: (self._known[keys[attempt.version]], attempt.attempt) for attempt in attempts
        }
        return {
            version: norm
            for version, (sample, own) in others.items()
            if sample is not None and (norm := sample.without(own)) is not None
        }

    def fewest(self, versions: set[int]) -> dict[int, Fewest]:
        """The fewest actions that are known to win each level of these versions."""
        if missing := versions - self._fewest.keys():
            found = fewest_stored(missing)
            self._fewest.update({version: found[version] for version in missing})
        return self._fewest

    def state(self, versions: set[int], session: Session) -> dict[str, queries.NormState | None]:
        return queries.norms_of(versions, _alone(session), self._states)


def _alone(session: Session) -> int | None:
    return session.study_id if session.study.stands_alone else None


def _assess(session: Session, cache: _NormCache) -> int:
    effort = session.prescribed.effort
    ended = queries.ended_attempts(session)
    attempts = journal.judged_attempts(session)
    evidence = journal.evidence(session, attempts)
    versions = {attempt.version for attempt in evidence}
    norms = cache.norms(evidence, session, effort.thresholds)
    seeds = {attempt.pk: attempt.seed for attempt in attempts}
    found = findings(evidence, norms, effort.thresholds, seeds, cache.fewest(versions))
    tasks = judged_tasks(session)
    views = task_views(session, tasks)
    found += task_findings(views, session.prescribed.tasks.view_seconds, effort.thresholds)
    for attempt, stops in journal.cut_offs(session, [*attempts, *tasks]):
        found += filter(None, [cut_off(attempt.pk, attempt.number, stops, effort.thresholds)])
    assessment = Assessment(
        session=session,
        rule_version=RULE_VERSION,
        attempts=ended,
        thresholds=effort.changes,
        norms=cache.state(versions, session),
    )
    _store(assessment, [_flag(session, finding, [*attempts, *tasks]) for finding in found])
    return len(found)


def _flag(session: Session, finding: Finding, attempts: list[Attempt]) -> Flag:
    """The flag of a finding, raised when the last attempt with its evidence ended."""
    concerned = {attempt for attempt, _ in finding.moments}
    return Flag(
        session=session,
        attempt_id=finding.attempt,
        rule=finding.rule,
        rule_version=RULE_VERSION,
        thresholds=session.prescribed.effort.changes,
        strength=finding.strength,
        figures={**finding.figures, "moments": [list(moment) for moment in finding.moments]},
        sentence=finding.sentence,
        raised_at=max(
            attempt.ended_at for attempt in attempts if attempt.pk in concerned and attempt.ended_at
        ),
        judged_at=now(),
    )


def _store(assessment: Assessment, found: list[Flag]) -> None:
    """Stores these as the session's flags, unless the last assessment included more attempts.

    While a decision rests on the flags, none is removed; only flags from further attempts are added.
    """
    with transaction.atomic():
        # Nobody decides meanwhile; events of the session may be added all the same.
        locked_session(assessment.session_id)
        last = Assessment.objects.filter(session=assessment.session_id).first()
        decided = standing().filter(session=assessment.session_id).exists()
        if last is not None and assessment.attempts < last.attempts + decided:
            return
        if decided:
            assessment.rule_version = ""
        assessment.pk = last.pk if last else None
        assessment.save()
        _replace(assessment.session_id, found, decided=decided)


def _replace(session_id: int, found: list[Flag], *, decided: bool) -> None:
    """Leaves equal flags, updates those of which only figures changed, and supersedes the others."""
    standing_flags = {
        (flag.attempt_id, flag.rule): flag
        for flag in Flag.objects.filter(session=session_id, superseded_at__isnull=True)
    }
    for flag in found:
        before = standing_flags.pop((flag.attempt_id, flag.rule), None)
        if before is not None and _content(before) == _content(flag):
            continue
        if before is not None and not decided and _grade(before) == _grade(flag):
            flag.pk, flag.judged_at = before.pk, before.judged_at
        elif before is not None:
            _supersede([before])
        flag.save()
    if not decided:
        _supersede(standing_flags.values())


def _supersede(flags: Iterable[Flag]) -> None:
    Flag.objects.filter(pk__in=[flag.pk for flag in flags]).update(superseded_at=now())


def _grade(flag: Flag) -> tuple[Any, ...]:
    return flag.strength, flag.rule_version, flag.thresholds


def _content(flag: Flag) -> tuple[Any, ...]:
    return *_grade(flag), flag.figures, flag.sentence, flag.raised_at
