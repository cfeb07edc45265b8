"""Lets the reference agents play what is shipped, and writes their actions for new installations.

`make demonstration` runs it last. A new installation plays these actions again
(`playtest.rehearsal.demonstration_agents`), but of a version that has changed since.
"""

import json
from pathlib import Path

from engine.play import source as sources
from engine.play.actions import Action
from engine.play.game import Game as Rules
from engine.play.source import Source
from engine.play.turns import WIN
from engine.play.turns import Turn as Played
from playtest_agents.frontier import FrontierAgent
from playtest_agents.game import Agent, Game, Stop, Turn
from playtest_agents.random_agent import RandomAgent

ROOT = Path(__file__).parents[1]
AGENTS: tuple[Agent, ...] = (RandomAgent(0), FrontierAgent(0))
MOST_ACTIONS = 400


def main() -> None:
    """Writes `demonstration/agents.json`, a line for each run."""
    shipped = [sources.load(folder) for folder in sorted((ROOT / "games").glob("????"))]
    runs = [
        {
            "agent": agent.name,
            "settings": dict(agent.settings),
            "environment": source.environment_id,
            "version": source.digest,
            "actions": " ".join(map(_text, actions_of(agent, source))),
        }
        for agent in AGENTS
        for source in shipped
    ]
    lines = ",\n".join(map(json.dumps, runs))
    (ROOT / "demonstration" / "agents.json").write_text(f"[\n{lines}\n]\n")


def actions_of(agent: Agent, source: Source) -> list[Action]:
    """What an agent does in an environment, as in competition mode: a RESET restarts the level alone."""
    rules, turn = Rules.start(source, 0, all_actions=True)
    player = agent.begin(Game(source.environment_id), competition=True)
    assert not isinstance(player, Stop), "these play every environment"
    taken: list[Action] = []
    while turn.state != WIN and len(taken) < MOST_ACTIONS:
        choice = player.choose(_seen(turn))
        if isinstance(choice, Stop):
            break
        taken.append(Action(choice.action.id, choice.action.x, choice.action.y))
        turn = rules.act(taken[-1])
    return taken


def _seen(turn: Played) -> Turn:
    """The turn as the API answers it."""
    return Turn(
        "", tuple(turn.frames), turn.state, turn.levels_completed, turn.levels, turn.available_actions
    )


def _text(action: Action) -> str:
    """The id, and of a click its cell: "6.10.33"."""
    return ".".join(str(one) for one in (action.id, action.x, action.y) if one is not None)


if __name__ == "__main__":
    main()
