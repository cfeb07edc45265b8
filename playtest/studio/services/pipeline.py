"""Moves an environment from one stage to another, through the gate between them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import MOVES_OF, Fact, Need, Stage, find_move, unmet
from playtest.studio.models import Environment, StageMove


def move(
    environment: Environment,
    to: str,
    by: Staff | None,
    reason: str,
    facts: Mapping[Need, Fact],
    more: Mapping[str, Any] | None = None,
) -> StageMove:
    """Moves it if its gate is met, and stores who did, why, and on what evidence: the facts and `more`.

    RuleError: stage_unknown, no_such_move, reason_missing, gate_unmet; environment_changed when its stage or
    version is not the one any more that the facts are about.
    """
    wanted = find_move(Stage(environment.stage), _stage(to), MOVES_OF[environment.kind])
    reason = reason.strip()
    if wanted.requires_reason and not reason:
        raise RuleError("reason_missing", "Say why it goes back.")
    if missing := unmet(wanted, facts):
        raise RuleError("gate_unmet", " ".join(fact.sentence for fact in missing))
    with transaction.atomic():
        unchanged = Environment.objects.filter(
            pk=environment.pk, stage=environment.stage, current=environment.current_id
        )
        if not unchanged.update(stage=wanted.after.value):
            raise RuleError("environment_changed", "It has changed meanwhile: load the page again.")
        made = StageMove.objects.create(
            environment=environment,
            version=environment.current,
            before=wanted.before.value,
            after=wanted.after.value,
            reason=reason,
            evidence={need: _as_json(facts[need]) for need in wanted.needs} | dict(more or {}),
            moved_by=by,
            moved_at=timezone.now(),
        )
    environment.stage = wanted.after.value
    return made


def _stage(name: str) -> Stage:
    try:
        return Stage(name)
    except ValueError as error:
        raise RuleError("stage_unknown", f"There is no stage {name!r}.") from error


def _as_json(fact: Fact) -> dict[str, Any]:
    return {"met": fact.met, "words": fact.sentence, "data": dict(fact.data or {})}
