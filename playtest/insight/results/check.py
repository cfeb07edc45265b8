"""Compares stored level results with what the journal gives now. Only reads."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, fields
from itertools import takewhile

from django.db.models import QuerySet

from playtest.insight.models import LevelResult, Summary
from playtest.insight.results.journal import Unread, parts, read
from playtest.play.adjustments import adjustments_of_attempts
from playtest.play.models import Attempt
from playtest.rules import results as rule
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.errors import RuleError

_FIGURES = [field.name for field in fields(rule.LevelResult)]


def wrong_results(attempts: QuerySet[Attempt]) -> Iterator[tuple[int, str]]:
    """Attempts whose level results differ from a rebuild, with a sentence each.

    Results are compared as far as they are computed; entries that are newer are not missed.
    """
    known = Summary.objects.filter(attempt__in=attempts).order_by("pk").values_list("attempt", "through_seq")
    for part in parts(Unread(attempt, 0, through) for attempt, through in known):
        keys = [one.attempt for one in part]
        adjustments = adjustments_of_attempts(Attempt.objects.filter(pk__in=keys))
        stored = _stored(keys)
        for one in part:
            if said := _difference(one, stored[one.attempt], adjustments.get(one.attempt, NO_ADJUSTMENTS)):
                yield one.attempt, said
    without = LevelResult.objects.filter(attempt__in=attempts, attempt__summary__isnull=True)
    for attempt in without.order_by("attempt").values_list("attempt", flat=True).distinct():
        yield attempt, f"Attempt {attempt} has level results, but nothing says how far they go."


def _stored(attempts: list[int]) -> dict[int, list[dict[str, object]]]:
    found: dict[int, list[dict[str, object]]] = defaultdict(list)
    rows = LevelResult.objects.filter(attempt__in=attempts).order_by("attempt", "level")
    for attempt, *values in rows.values_list("attempt", *_FIGURES):
        found[attempt].append(dict(zip(_FIGURES, values, strict=True)))
    return found


def _difference(one: Unread, stored: list[dict[str, object]], adjustments: Adjustments) -> str | None:
    entries = takewhile(lambda entry: entry.seq <= one.newest, read(one))
    try:
        computed = [asdict(level) for level in rule.level_results(entries, adjustments)]
    except RuleError as error:
        return f"The level results of attempt {one.attempt} cannot be computed: {error.message}"
    if len(computed) != len(stored):
        return (
            f"Attempt {one.attempt} has {len(stored)} level results, and its journal gives {len(computed)}."
        )
    for now, before in zip(computed, stored, strict=True):
        if names := [name for name in _FIGURES if now[name] != before[name]]:
            return f"Level {before['level']} of attempt {one.attempt} differs in {', '.join(names)}."
    return None
