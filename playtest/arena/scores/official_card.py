"""A scorecard as arc_agi's `EnvironmentScorecard` and `Scorecard` have it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.play.turns import WIN
from playtest.arena.models import Play, Scorecard
from playtest.arena.runs.cards import game_id_of, unplayed
from playtest.arena.runs.sums import PlayCounts, play_counts
from playtest.arena.scores.baselines import Baseline, baselines_of
from playtest.rules.score import LevelRun, environment_score, level_score, total_score, weighted_score
from playtest.studio.models import Version

_NO_BASELINE = "Human baseline actions are not available for this environment"


@dataclass(frozen=True, slots=True)
class Played:
    """One play of a card; `guid` is None for an environment that a competition card did not play."""

    guid: str | None
    counts: PlayCounts


@dataclass(frozen=True, slots=True)
class OnCard:
    """One version on a card with its plays, in the order in which they began."""

    version: Version
    baseline: Baseline
    plays: tuple[Played, ...]


def environments_of(card: Scorecard) -> list[OnCard]:
    """What a card played, and after a competition also what it did not."""
    plays = Play.objects.filter(run__card=card).select_related("run__version__environment").order_by("pk")
    counts = play_counts([play.attempt_id for play in plays])
    versions: dict[int, Version] = {}
    found: defaultdict[int, list[Played]] = defaultdict(list)
    for play in plays:
        versions[play.run.version_id] = play.run.version
        found[play.run.version_id].append(Played(str(play.run.guid), counts[play.attempt_id]))
    for version in unplayed([card]).get(card.pk, ()):
        versions[version.pk], found[version.pk] = version, [Played(None, PlayCounts())]
    baselines = baselines_of(versions.values())
    return [OnCard(version, baselines[pk], tuple(found[pk])) for pk, version in versions.items()]


def environment_scorecard(card: Scorecard, environments: Sequence[OnCard], *, whole: bool) -> dict[str, Any]:
    """The reply to closing a card and to reading it; unless it is the `whole` one, with the totals alone."""
    lists = [_score_list(one) for one in environments]
    data = {
        "source_url": card.source_url or None,
        "tags": card.tags,
        "opaque": card.opaque,
        "card_id": str(card.card_id),
        "score": total_score(scored["score"] for scored in lists) or 0.0,
        "environments": lists if whole else [],
        "tags_scores": _tags_scores(environments) if whole else [],
        "competition_mode": True if card.competition else None,
        "total_environments_completed": sum(scored["completed"] for scored in lists),
        "total_environments": len(lists),
        "total_levels_completed": sum(scored["levels_completed"] for scored in lists),
        "total_levels": sum(scored["level_count"] for scored in lists),
        "total_actions": sum(scored["actions"] for scored in lists),
    }
    return _without_none(data)


def card_of_game(environments: Sequence[OnCard], game_id: str) -> dict[str, Any]:
    """The reply to reading a card's counts for one environment; there are none of what it has not."""
    cards = [_card(one) for one in environments if game_id_of(one.version) == game_id]
    best = [max(play.counts.levels_completed for play in one.plays) for one in environments]
    return {
        "won": sum(any(play.counts.state == WIN for play in one.plays) for one in environments),
        "played": len(environments),
        "total_actions": sum(play.counts.actions for one in environments for play in one.plays),
        "levels_completed": sum(best),
        "cards": {game_id: cards[0]} if cards else {},
    }


def _card(one: OnCard) -> dict[str, Any]:
    counts = [play.counts for play in one.plays]
    return {
        "game_id": game_id_of(one.version),
        "total_plays": len(counts),
        "guids": [play.guid for play in one.plays],
        "levels_completed": [count.levels_completed for count in counts],
        "states": [count.state for count in counts],
        "actions": [count.actions for count in counts],
        "actions_by_level": [[list(pair) for pair in count.actions_by_level] for count in counts],
        "resets": [count.resets for count in counts],
        "total_actions": sum(count.actions for count in counts),
    }


def _score_list(one: OnCard) -> dict[str, Any]:
    runs = [_run(one, play) for play in one.plays]
    return {
        "id": game_id_of(one.version),
        "runs": runs,
        "score": max(run["score"] for run in runs),
        "actions": sum(run["actions"] for run in runs),
        "levels_completed": max(run["levels_completed"] for run in runs),
        "completed": any(run["completed"] for run in runs),
        "level_count": max(len(run["level_scores"]) for run in runs),
        "resets": sum(run["resets"] for run in runs),
    }


def _run(one: OnCard, play: Played) -> dict[str, Any]:
    counts = play.counts
    data: dict[str, Any] = {
        "guid": play.guid,
        "levels_completed": counts.levels_completed,
        "actions": counts.actions,
        "resets": counts.resets,
        "state": counts.state,
        "completed": counts.state == WIN,
    }
    if not one.baseline.actions:
        taken = _actions_of_levels(counts, len(counts.actions_by_level) + (counts.state != WIN))
        data |= {
            "id": game_id_of(one.version),
            "score": 0.0,
            "level_scores": [0.0] * len(taken),
            "level_actions": taken,
            "level_baseline_actions": [-1] * len(taken),
            "number_of_environments": 0,
            "message": _NO_BASELINE,
        }
        return _without_none(data)
    levels = _levels(one.baseline, counts)
    data |= {
        "score": environment_score(levels),
        "level_scores": [level_score(level) for level in levels],
        "level_actions": [level.actions for level in levels],
        "level_baseline_actions": [level.baseline for level in levels],
    }
    return _without_none(data)


def _levels(baseline: Baseline, counts: PlayCounts) -> list[LevelRun]:
    taken = _actions_of_levels(counts, len(baseline.actions))
    completed = len(counts.actions_by_level)
    return [
        LevelRun(index < completed, actions, expected)
        for index, (actions, expected) in enumerate(zip(taken, baseline.actions, strict=True))
    ]


def _actions_of_levels(counts: PlayCounts, levels: int) -> list[int]:
    """The actions of each level: those that completed it, then the rest on the level reached, then zeros."""
    taken, before = [], 0
    for _, total in [*counts.actions_by_level, (0, counts.actions)][:levels]:
        taken.append(total - before)
        before = total
    return taken + [0] * (levels - len(taken))


def _tags_scores(environments: Sequence[OnCard]) -> list[dict[str, Any]]:
    """The scores by tag, over the levels of each environment's play that got furthest."""
    levels: defaultdict[str, list[tuple[int, LevelRun]]] = defaultdict(list)
    games: defaultdict[str, set[int]] = defaultdict(set)
    for one in environments:
        if not one.baseline.actions:
            continue
        furthest = max(one.plays, key=lambda play: play.counts.levels_completed)  # the first of several
        for tag in one.version.metadata.get("tags") or []:
            levels[tag] += enumerate(_levels(one.baseline, furthest.counts), start=1)
            games[tag].add(one.version.environment_id)
    return [
        {
            "id": tag,
            "score": weighted_score(of_tag),
            "levels_completed": sum(level.completed for _, level in of_tag),
            "actions": sum(level.actions for _, level in of_tag),
            "number_of_levels": len(of_tag),
            "number_of_environments": len(games[tag]),
        }
        for tag, of_tag in levels.items()
    ]


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None}
