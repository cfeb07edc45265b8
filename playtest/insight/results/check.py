"""Compares stored level results with what the journal gives now. Only reads."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, fields
from datetime import datetime

from django.db.models import QuerySet

from playtest.insight.models import LevelResult, Summary
from playtest.insight.results.journal import TaskView, Unread, computed, parts
from playtest.play.models import Attempt
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.rules import results as rule
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind

_FIGURES = [field.name for field in fields(rule.LevelResult)]


def wrong_results(attempts: QuerySet[Attempt]) -> Iterator[tuple[int, str]]:
    """Attempts whose level results differ from a rebuild, with a sentence each.

    Results are compared as far as they are computed; entries that are newer are not missed.
    """
    known = Summary.objects.filter(attempt__in=attempts).order_by("pk")
    rows = known.values_list(
        "attempt", "through_seq", "through_end", "attempt__environment__kind", "attempt__version__digest",
        "attempt__version__levels", "attempt__ended_at", "attempt__session__protocol__document__tasks",
    )  # fmt: skip
    for part in parts(_read_so_far(*row) for row in rows):
        keys = [one.attempt for one in part]
        adjustments = adjustments_of_attempts(Attempt.objects.filter(pk__in=keys))
        stored, submitted = _stored(keys), _submitted(keys)
        for one in part:
            known_of_it = stored[one.attempt], submitted[one.attempt]
            if said := _difference(one, *known_of_it, adjustments.get(one.attempt, NO_ADJUSTMENTS)):
                yield one.attempt, said
    without = LevelResult.objects.filter(attempt__in=attempts, attempt__summary__isnull=True)
    for attempt in without.order_by("attempt").values_list("attempt", flat=True).distinct():
        yield attempt, f"Attempt {attempt} has level results, but nothing says how far they go."


def _read_so_far(
    attempt: int,
    through: int,
    through_end: bool,
    kind: str,
    digest: str,
    levels: int,
    ended_at: datetime | None,
    rule: object,
) -> Unread:
    """What the stored results of an attempt were computed from."""
    view = TaskView(digest, levels, ended_at if through_end else None, rule)
    return Unread(attempt, 0, through, view if kind == Kind.TASK else None)


def _stored(attempts: list[int]) -> dict[int, list[dict[str, object]]]:
    found: dict[int, list[dict[str, object]]] = defaultdict(list)
    rows = LevelResult.objects.filter(attempt__in=attempts).order_by("attempt", "level")
    for attempt, *values in rows.values_list("attempt", *_FIGURES):
        found[attempt].append(dict(zip(_FIGURES, values, strict=True)))
    return found


def _submitted(attempts: list[int]) -> dict[int, list[list[object]] | None]:
    return dict(Summary.objects.filter(attempt__in=attempts).values_list("attempt", "submitted"))


def _difference(
    one: Unread,
    stored: list[dict[str, object]],
    submitted: list[list[object]] | None,
    adjustments: Adjustments,
) -> str | None:
    try:
        rebuilt = computed(one, adjustments, until_newest=True)
    except RuleError as error:
        return f"The level results of attempt {one.attempt} cannot be computed: {error.message}"
    found = [asdict(level) for level in rebuilt.levels]
    if len(found) != len(stored):
        return f"Attempt {one.attempt} has {len(stored)} level results, and its journal gives {len(found)}."
    for now, before in zip(found, stored, strict=True):
        if names := [name for name in _FIGURES if now[name] != before[name]]:
            return f"Level {before['level']} of attempt {one.attempt} differs in {', '.join(names)}."
    if submitted != (None if rebuilt.submitted is None else [list(row) for row in rebuilt.submitted]):
        return f"The submissions of attempt {one.attempt} differ from those in its journal."
    return None
