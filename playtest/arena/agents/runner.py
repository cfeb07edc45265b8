"""Plays an agent on one scorecard, which is closed whatever happens."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playtest.arena.agents.agent import Agent, Stop
from playtest.arena.agents.client import Client, Game
from playtest.arena.agents.errors import AgentError, ApiError

WON, ACTIONS_USED, INTERRUPTED = "won", "action_limit", "interrupted"
LEVEL_BUDGET, ENDED_BY_SERVER = "level_budget", "ended_by_server"
_ENDS_A_RUN = (400, 409)
"""Statuses with which a server refuses an action because the run is over, for instance its budget spent."""

type Progress = Callable[["Played"], object]


@dataclass(slots=True)
class Played:
    """One environment as it was played, by the client's count. `ended` is a code; `note` explains it."""

    game: Game
    actions: int = 0
    levels_completed: int = 0
    levels: int = 0
    ended: str = ""
    note: str = ""


@dataclass(slots=True)
class CardRun:
    """A closed card: `answer` is what the server said when it was closed, with the scores."""

    agent: str
    card_id: str
    played: list[Played] = field(default_factory=list)
    answer: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    cost: float | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False


def run(
    client: Client,
    agent: Agent,
    games: Sequence[Game],
    *,
    competition: bool = False,
    actions: int | None = None,
    tags: Sequence[str] = (),
    progress: Progress = lambda played: None,
) -> CardRun:
    """Plays the environments one after another, at most `actions` in each, and closes the card.

    KeyboardInterrupt ends the run early: the card is closed and `interrupted` says so. After an error the
    card is closed, too, as far as the server can be reached, and the error raised.
    """
    began = time.monotonic()
    limit = agent.actions if actions is None else actions
    opaque = {"agent": agent.name, **agent.settings}
    card = client.open_card((agent.name, *tags), opaque, competition=competition)
    result = CardRun(agent.name, card)
    try:
        for game in games:
            result.played.append(Played(game))
            _play(client, card, agent, result.played[-1], limit, competition=competition)
            progress(result.played[-1])
    except KeyboardInterrupt:
        result.interrupted = True
        for unfinished in result.played[-1:]:
            unfinished.ended = unfinished.ended or INTERRUPTED
    except BaseException:
        _close_if_possible(client, card)
        raise
    result.answer = client.close_card(card)
    result.seconds = time.monotonic() - began
    result.cost, result.counts = agent.cost, agent.counts
    return result


def _play(
    client: Client, card: str, agent: Agent, played: Played, limit: int | None, *, competition: bool
) -> None:
    player = agent.begin(played.game, competition=competition)
    turn = client.start(card, played.game)
    played.levels = turn.levels
    while not turn.won:
        if limit is not None and played.actions >= limit:
            played.ended = ACTIONS_USED
            return
        choice = player.choose(turn)
        if isinstance(choice, Stop):
            played.ended = choice.reason
            return
        try:
            turn = client.act(card, played.game, turn.guid, choice.action, choice.reasoning)
        except ApiError as error:
            if error.status not in _ENDS_A_RUN:
                raise
            spent = error.answer_code == "BUDGET_SPENT"
            played.ended, played.note = LEVEL_BUDGET if spent else ENDED_BY_SERVER, error.message
            return
        played.actions += 1
        played.levels_completed = max(played.levels_completed, turn.levels_completed)
    played.ended = WON


def _close_if_possible(client: Client, card: str) -> None:
    """The first error is the one to report, so a second one is not raised."""
    try:
        client.close_card(card)
    except (AgentError, KeyboardInterrupt):
        return
