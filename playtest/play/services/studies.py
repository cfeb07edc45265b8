"""Studies: the campaign and the protocol settings that sessions follow."""

from collections.abc import Collection
from typing import Any

from django.db import IntegrityError, transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.effort import thresholds
from playtest.rules.errors import RuleError
from playtest.rules.limits import Limits
from playtest.rules.pay import session_pay
from playtest.studio.models import Environment


def create_study(staff: Staff | None, *, name: str, pool: Collection[Environment], **settings: Any) -> Study:
    """A study with its pool; `settings` are fields of `Study`, left out ones are the protocol's defaults.

    Refusal: name_taken, pool_empty, limit_not_positive, soft_limit_after_hard, target_not_positive,
    amount_invalid, effort_thresholds_malformed, effort_threshold_unknown, effort_threshold_invalid,
    effort_thresholds_crossed.
    """
    study = Study(name=name, created_at=now(), created_by=staff, **settings)
    return _save(study, pool)


def change_study(study: Study, *, pool: Collection[Environment], **settings: Any) -> Study:
    """Change a study from now on, also for sessions under way. Refusals as `create_study`."""
    for name, value in settings.items():
        setattr(study, name, value)
    return _save(study, pool)


def _save(study: Study, pool: Collection[Environment]) -> Study:
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
        session_pay(study.fee, study.bonus, 0)
        thresholds(study.effort)
    except RuleError as error:
        raise Refusal(error.code, error.message) from error
