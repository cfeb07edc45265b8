"""Studies: the campaign and the protocol settings that sessions follow."""

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study, StudyChange
from playtest.play.models.study import PRESCRIBED
from playtest.play.notifications import notify_after_commit
from playtest.rules.effort import thresholds
from playtest.rules.errors import RuleError
from playtest.rules.limits import Limits
from playtest.rules.pay import Pay
from playtest.studio.models import Environment

LEAST_REASON, MOST_REASON = 10, 2_000
"""Characters of a reason."""


def create_study(staff: Staff | None, *, name: str, pool: Collection[Environment], **settings: Any) -> Study:
    """A study with its pool; `settings` are fields of `Study`, left out ones are the protocol's defaults.

    Refusal: name_taken, pool_empty, limit_not_positive, soft_limit_after_hard, target_not_positive,
    amount_invalid, effort_thresholds_malformed, effort_threshold_unknown, effort_threshold_invalid,
    effort_thresholds_crossed.
    """
    study = Study(name=name, created_at=now(), created_by=staff, **settings)
    with transaction.atomic():
        return _save(study, pool)


def change_study(
    study: Study,
    *,
    pool: Collection[Environment],
    staff: Staff | None = None,
    reason: str = "",
    **settings: Any,
) -> Study:
    """Change a study from now on, also for sessions under way: their open pages look again.

    Once a session exists, whether it is a rehearsal is fixed, and a change of what the study prescribes
    (PRESCRIBED and the pool) needs a reason and is kept as a `StudyChange`.

    Refusal: as `create_study`, rehearsal_fixed, reason_missing, reason_too_long.
    """
    with transaction.atomic():
        # No session is created meanwhile: its foreign key waits for this row.
        before = Study.objects.select_for_update().get(pk=study.pk)
        prescribed = _prescribed(before, before.pool.all())
        for name, value in settings.items():
            setattr(study, name, value)
        sessions = Session.objects.filter(study=study)
        if sessions.exists():
            _check_rehearsal(before, study)
        _save(study, pool)
        study.refresh_from_db()
        _keep_change(study, prescribed, sessions, staff, reason.strip())
        for session in sessions.filter(ended_at__isnull=True).values_list("pk", flat=True):
            notify_after_commit(session)
    return study


def _check_rehearsal(before: Study, after: Study) -> None:
    if before.rehearsal != after.rehearsal:
        message = (
            "This study has sessions, and whether it is a rehearsal decides whether their results count:"
            " it can no longer be changed. Create another study."
        )
        raise Refusal("rehearsal_fixed", message)


def _keep_change(
    study: Study, before: dict[str, Any], sessions: QuerySet[Session], staff: Staff | None, reason: str
) -> None:
    """Write down what has become of `before` (`_prescribed`), if anything has and there are sessions."""
    after = _prescribed(study, study.pool.all())
    changed = [name for name in before if before[name] != after[name]]
    if not changed or not sessions.exists():
        return
    if len(reason) < LEAST_REASON:
        message = (
            "This study has sessions, and what you changed bears on their results: say why, in at least"
            f" {LEAST_REASON} characters. The reason is kept with the change and shown on the study's page."
        )
        raise Refusal("reason_missing", message)
    if len(reason) > MOST_REASON:
        raise Refusal("reason_too_long", f"At most {MOST_REASON} characters: shorten the reason.")
    StudyChange.objects.create(
        study=study,
        changed_at=now(),
        changed_by=staff,
        reason=reason,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        sessions=sessions.count(),
        under_way=sessions.filter(ended_at__isnull=True).count(),
    )


def _prescribed(study: Study, pool: Iterable[Environment]) -> dict[str, Any]:
    """What a study prescribes, as JSON types."""
    values = {name: getattr(study, name) for name in PRESCRIBED}
    values = {name: f"{value:.2f}" if isinstance(value, Decimal) else value for name, value in values.items()}
    return values | {"pool": sorted(environment.code for environment in pool)}


def _save(study: Study, pool: Collection[Environment]) -> Study:
    """Within a transaction."""
    _check(study, pool)
    try:
        with transaction.atomic():
            study.save()
            study.pool.set(pool)
    except IntegrityError as error:
        raise Refusal("name_taken", "Another study has this name. Choose a different one.") from error
    return study


def _check(study: Study, pool: Collection[Environment]) -> None:
    if not pool:
        raise Refusal("pool_empty", "Choose at least one environment for the pool.")
    if study.target_people < 1:
        raise Refusal("target_not_positive", "The target must be at least one person per environment.")
    try:
        Limits(study.soft_seconds, study.hard_seconds, study.session_seconds)
        Pay(study.fee, study.bonus)
        thresholds(study.effort)
    except RuleError as error:
        raise Refusal(error.code, error.message) from error
