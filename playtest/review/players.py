"""Who played an attempt, as pages name them: a person by the label, an agent as a higher room names it."""

from collections.abc import Callable, Collection, Mapping

from playtest.play.models import Attempt

type AgentNames = Callable[[Collection[int]], Mapping[int, str]]
"""The names of agents by attempt; attempts that it does not know are absent."""

UNKNOWN_AGENT = "an agent"
_SOURCES: list[AgentNames] = []


def name_agents_by(names: AgentNames) -> None:
    """Adds a source of names. Called when a room starts."""
    if names not in _SOURCES:
        _SOURCES.append(names)


def player_names(attempts: Collection[Attempt]) -> dict[int, str]:
    """The name of each attempt's player, by attempt; people's have to be selected with the attempts."""
    runs = [one.pk for one in attempts if one.is_run]
    found = dict.fromkeys(runs, UNKNOWN_AGENT)
    for names in _SOURCES if runs else ():
        found |= names(runs)
    return found | {one.pk: one.participant.label for one in attempts if not one.is_run}


def player_name(attempt: Attempt) -> str:
    """The name of one attempt's player."""
    return player_names([attempt])[attempt.pk]
