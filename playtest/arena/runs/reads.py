"""Who played a run, what came with each of its actions, and what runs, cards and environments used."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from playtest.arena.models import Play, Run
from playtest.arena.runs.sums import sums
from playtest.arena.runs.usage import NO_USAGE, Usage
from playtest.play.models import AgentNote, Attempt, Entry

NOTES_A_BLOCK = 64
"""Notes are sent in blocks of so many actions: each has at most 16 KiB of reasoning."""


def usage_by_level(attempt: int) -> dict[int, Usage]:
    """What the actions of an attempt used, by the level on which they were made, where any says it."""
    levels = sums([attempt], counts=False)[attempt].levels
    return {level: one.usage for level, one in levels.items() if one.usage.actions}


def usage_of(attempts: Iterable[int]) -> dict[int, Usage]:
    """What each of these attempts (primary keys) used in all; NO_USAGE if its actions say nothing."""
    return {
        attempt: sum((level.usage for level in one.levels.values()), NO_USAGE)
        for attempt, one in sums(attempts, counts=False).items()
    }


def usage_of_cards(cards: Collection[int]) -> dict[int, Usage]:
    """What the runs of each card (primary keys) used in all; absent if they have no attempt."""
    card_of = dict(Play.objects.filter(run__card__in=cards).values_list("attempt", "run__card__pk"))
    found: dict[int, Usage] = {}
    for attempt, usage in usage_of(card_of).items():
        card = card_of[attempt]
        found[card] = found.get(card, NO_USAGE) + usage
    return found


@dataclass(frozen=True, slots=True)
class LevelUsage:
    """The actions made on a level, and what those of them used that say it."""

    level: int
    actions: int
    usage: Usage


def agent_names(attempts: Collection[int]) -> dict[int, str]:
    """The name of the key that played each run, by attempt."""
    rows = Play.objects.filter(attempt__in=attempts).values_list("attempt", "run__card__key__name")
    return dict(rows)


def run_with_guid(guid: str) -> Run | None:
    """The run with this guid, written as it was told, with its card, environment and version."""
    try:
        value = uuid.UUID(guid)
    except ValueError:
        return None
    run = Run.objects.select_related("card", "environment", "version").filter(guid=value).first()
    return run if run is not None and str(run.guid) == guid else None


def notes_of_block(attempt: Attempt, block: int) -> list[tuple[int, str]]:
    """The seq and reasoning of each note of a block: actions 0 to 63, 64 to 127, and so on."""
    first = block * NOTES_A_BLOCK
    found = AgentNote.objects.filter(attempt=attempt, seq__gte=first, seq__lt=first + NOTES_A_BLOCK)
    return list(found.exclude(reasoning="").order_by("seq").values_list("seq", "reasoning"))


def usage_of_levels(attempt: Attempt) -> list[LevelUsage]:
    """What each level of a run used, from level 1; empty if no action of the run says anything."""
    used = usage_by_level(attempt.pk)
    if not used:
        return []
    actions = Entry.objects.filter(attempt=attempt, seq__gt=0).values_list("level", flat=True)
    counts = Counter(actions)
    return [LevelUsage(level, counts[level], used.get(level, NO_USAGE)) for level in sorted(counts)]
