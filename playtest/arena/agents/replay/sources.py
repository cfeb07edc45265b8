"""What the local database knows to replay: people's first runs, and the studio's recordings."""

from functools import partial

from engine.actions import Action
from playtest.arena.agents.client import Game
from playtest.arena.agents.errors import AgentError
from playtest.arena.agents.replay.player import LevelActions, ReplayAgent
from playtest.arena.queries.environments import game_id_of
from playtest.play.models import Entry, Study
from playtest.play.services.runs import SEED
from playtest.review.queries.comparisons import BestRun, best_runs_of
from playtest.studio.models import Version
from playtest.studio.queries.fewest import shortest_recorded

BEST, OPTIMAL = "replay_best", "replay_optimal"


def best_agent(study: int | None = None) -> ReplayAgent:
    """Replays the best first run of each level, of all real people or of one study's, resets included.

    Raises AgentError study_unknown.
    """
    found = None if study is None else Study.objects.filter(pk=study).first()
    if study is not None and found is None:
        raise AgentError("study_unknown", f"There is no study {study} in the database here.")
    return ReplayAgent(BEST, partial(_best, study=found))


def optimal_agent() -> ReplayAgent:
    """Replays the fewest actions with which a recording or an exploration is known to win each level."""
    return ReplayAgent(OPTIMAL, _optimal)


def version_of(game: Game) -> Version:
    """The version that a server names, by the digest or the id in its metadata.

    Raises AgentError environment_not_here.
    """
    for version in Version.objects.filter(environment__code=game.code).order_by("-imported_at"):
        if game.game_id in (game_id_of(version), str(version)):
            return version
    message = f"{game.game_id} is not in the database here: import this version of it."
    raise AgentError("environment_not_here", message)


def _best(game: Game, study: Study | None) -> LevelActions:
    runs = best_runs_of(version_of(game).pk, study)
    return _some({run.level: _entries(run) for run in runs}, game, "completed level by a person")


def _optimal(game: Game) -> LevelActions:
    recorded = shortest_recorded(version_of(game), SEED)
    levels = {level: [Action(*stored) for stored in actions] for level, actions in recorded.items()}  # type: ignore[arg-type]
    return _some(levels, game, "winning recording")


def _entries(run: BestRun) -> list[Action]:
    """The actions from entering the level to completing it."""
    rows = Entry.objects.filter(attempt=run.attempt_id, level=run.level, seq__gt=0).order_by("seq")
    return [Action(*row) for row in rows.values_list("action", "x", "y")[: run.actions]]


def _some(levels: LevelActions, game: Game, missing: str) -> LevelActions:
    if not levels:
        message = f"There is no {missing} of {game.game_id} in the database here."
        raise AgentError("nothing_to_replay", message)
    return levels
