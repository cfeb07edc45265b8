"""What runs used: sums of what their actions say, by level, run, card and environment."""

from collections.abc import Collection, Iterable, Mapping

from playtest.arena.models import Play
from playtest.arena.queries.summaries import sums
from playtest.arena.queries.usage import NO_USAGE, Usage


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
    return _of_groups(dict(Play.objects.filter(run__card__in=cards).values_list("attempt", "run__card__pk")))


def usage_of_environments(environments: Collection[int]) -> dict[int, Usage]:
    """What all runs of each environment used; absent if there are none."""
    runs = Play.objects.filter(run__environment__in=environments)
    return _of_groups(dict(runs.values_list("attempt", "run__environment")))


def _of_groups(groups: Mapping[int, int]) -> dict[int, Usage]:
    """The sums by group, from the group of each attempt."""
    found: dict[int, Usage] = {}
    for attempt, usage in usage_of(groups).items():
        group = groups[attempt]
        found[group] = found.get(group, NO_USAGE) + usage
    return found
