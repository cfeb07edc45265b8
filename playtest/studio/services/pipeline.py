"""Moving an environment from one stage to another, past the gate between them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import Fact, Need, Stage, find_move, unmet
from playtest.studio.models import Environment, StageMove


def move(
    environment: Environment,
    to: str,
    by: Staff | None,
    words: str,
    facts: Mapping[Need, Fact],
    more: Mapping[str, Any] | None = None,
) -> StageMove:
    """Move it if its gate is met, and keep who did, why, and on what evidence: the facts and `more`.

    RuleError: stage_unknown, no_such_move, words_missing, gate_unmet; environment_changed when it is not the
    environment any more that the facts were gathered for.
    """
    wanted = find_move(Stage(environment.stage), _stage(to))
    words = words.strip()
    if wanted.words and not words:
        raise RuleError("words_missing", "Say why it goes back.")
    if missing := unmet(wanted, facts):
        raise RuleError("gate_unmet", " ".join(fact.words for fact in missing))
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
            words=words,
            evidence={need: _kept(facts[need]) for need in wanted.needs} | dict(more or {}),
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


def _kept(fact: Fact) -> dict[str, Any]:
    return {"met": fact.met, "words": fact.words, "data": dict(fact.data or {})}
