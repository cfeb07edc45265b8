"""Plays an agent on one scorecard, which is closed whatever happens, and reports what the card says."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playtest_agents.client import Client
from playtest_agents.connection import AgentError, ApiError
from playtest_agents.game import Agent, Game, Stop

WON, ACTIONS_USED, INTERRUPTED = "won", "action_limit", "interrupted"
LEVEL_BUDGET, ENDED_BY_SERVER = "level_budget", "ended_by_server"
_HEADINGS = ("environment", "levels", "actions", "score", "ended")
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
    card is closed, too, as far as the server can be reached, and the error raised. Raises as `Agent.check`
    before a card is opened.
    """
    agent.check(games)
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


def as_json(run: CardRun) -> dict[str, Any]:
    """The run as `--json` prints it. Scores are in percent, null where the server does not disclose them."""
    environments = [_environment(played, _on_card(run, played)) for played in run.played]
    return {
        "agent": run.agent,
        "card_id": run.card_id,
        "score": run.answer.get("score"),
        "environments": environments,
        "actions": sum(played.actions for played in run.played),
        "seconds": round(run.seconds, 3),
        "cost": run.cost,
        "interrupted": run.interrupted,
        **run.counts,
    }


def as_table(run: CardRun) -> str:
    """The run as text, a line for each environment."""
    shown = as_json(run)
    rows = [_HEADINGS, *(_row(environment) for environment in shown["environments"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = [
        "  ".join(
            text.rjust(width) if 0 < column < 4 else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    cost = "" if run.cost is None else f", {run.cost:.4f} dollars"
    lines.append(
        f"{run.agent}: score {_percent(shown['score'])}, {shown['actions']:,} actions in "
        f"{run.seconds:.1f} s{cost}; card {run.card_id}"
    )
    return "\n".join(lines)


def _play(
    client: Client, card: str, agent: Agent, played: Played, limit: int | None, *, competition: bool
) -> None:
    player = agent.begin(played.game, competition=competition)
    if isinstance(player, Stop):
        played.ended = player.reason
        return
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


def _environment(played: Played, scored: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": played.game.game_id,
        "levels_completed": played.levels_completed,
        "levels": played.levels,
        "actions": played.actions,
        "score": scored.get("score"),
        "ended": played.ended,
        "note": played.note,
    }


def _on_card(run: CardRun, played: Played) -> dict[str, Any]:
    """The environment on the closed card; empty where the server answers with aggregates alone."""
    environments = run.answer.get("environments") or []
    return next((row for row in environments if row.get("id") == played.game.game_id), {})


def _row(environment: dict[str, Any]) -> tuple[str, ...]:
    ended = environment["ended"] + (f": {environment['note']}" if environment["note"] else "")
    levels = f"{environment['levels_completed']}/{environment['levels']}"
    return (environment["id"], levels, f"{environment['actions']:,}", _percent(environment["score"]), ended)


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"
