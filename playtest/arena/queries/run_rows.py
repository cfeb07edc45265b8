"""The rows of the tables of `arena.codebook`."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import batched
from typing import Any

from playtest.arena.codebook import SAME_AS_PEOPLE
from playtest.arena.models import Play
from playtest.arena.queries.usage import Usage, usage_in
from playtest.arena.queries.used import usage_of
from playtest.play.models import AgentNote
from playtest.review.queries.dataset import Row

_ATTEMPTS_AT_ONCE = 500


def runs(attempt_ids: Sequence[int]) -> Iterator[Row]:
    """Rows of the table `runs`, by attempt."""
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        used = usage_of(part)
        plays = (
            Play.objects.filter(attempt__in=part)
            .order_by("attempt")
            .select_related("attempt__environment", "attempt__version", "run__card__key")
        )
        for play in plays:
            attempt, card, usage = play.attempt, play.run.card, used[play.attempt_id]
            facts = {
                "environment": attempt.environment.code,
                "game_id": attempt.version.game_id,
                "version": attempt.version.digest,
                "levels": attempt.version.levels,
                "seal": None if attempt.seal is None else bytes(attempt.seal).hex(),
            }
            yield (
                attempt.pk,
                str(card.card_id),
                str(play.run.guid),
                play.number,
                card.key.name,
                card.competition,
                attempt.outcome,
                *(facts[name] if name in facts else getattr(attempt, name) for name in SAME_AS_PEOPLE),
                usage.actions,
                *_usage(usage),
            )


def notes(attempt_ids: Sequence[int]) -> Iterator[Row]:
    """Rows of the table `notes`, by attempt and seq."""
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        found = AgentNote.objects.filter(attempt__in=part).order_by("attempt", "seq")
        for *note, text, key in found.values_list("attempt", "seq", "reasoning", "request_key").iterator():
            yield *note, text, key, *_usage(usage_in(text))


def _usage(usage: Usage) -> tuple[Any, ...]:
    """The columns of usage; empty where nothing was said."""
    if not usage.actions:
        return (None,) * 6
    tokens = astuple(usage)[1:6]
    return *tokens, usage.cost
