"""A scorecard as arc_agi's `EnvironmentScorecard` and `Scorecard` have it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from engine.play.turns import NOT_FINISHED, WIN
from playtest.arena.models import Play, Scorecard
from playtest.arena.runs.cards import game_id_of, unplayed
from playtest.arena.runs.sums import PlayCounts, play_counts
from playtest.arena.scores.baselines import Baseline, baselines_of
from playtest.rules import score as rules
from playtest.rules.custody import hides_budget, stricter
from playtest.studio.models import Version

_NO_BASELINE = "Human baseline actions are not available for this environment"
_OF_PLAYS = ("levels_completed", "actions", "resets")


@dataclass(frozen=True, slots=True)
class OnCard:
    """One version on a card. `plays`: the guid and the counts of each play, in the order in which they began.

    `guid` is None for an environment that a competition card did not play.
    """

    version: Version
    baseline: Baseline
    plays: tuple[tuple[str | None, PlayCounts], ...]

    @property
    def game_id(self) -> str:
        return game_id_of(self.version)

    @property
    def counts(self) -> list[PlayCounts]:
        return [counts for _, counts in self.plays]


def environments_of(card: Scorecard) -> list[OnCard]:
    """What a card played, and after a competition also what it did not."""
    plays = Play.objects.filter(run__card=card).select_related("run__version__environment").order_by("pk")
    counts = play_counts([play.attempt_id for play in plays])
    not_played = unplayed([card]).get(card.pk, ())
    versions = {version.pk: version for version in (*(play.run.version for play in plays), *not_played)}
    baselines = baselines_of(versions.values())
    found: defaultdict[int, list[tuple[str | None, PlayCounts]]] = defaultdict(list)
    for play in plays:
        run, taken = play.run, counts[play.attempt_id]
        if hides_budget(stricter(run.release_set, run.version.environment.release_set)):
            taken = _within_budget(taken, baselines[run.version_id])
        found[run.version_id].append((str(run.guid), taken))
    for version in not_played:
        found[version.pk] = [(None, PlayCounts())]
    return [OnCard(version, baselines[pk], tuple(found[pk])) for pk, version in versions.items()]


def _within_budget(counts: PlayCounts, baseline: Baseline) -> PlayCounts:
    """Without what was reached beyond a level's budget. All actions count: where it ended is not told."""
    taken = [counts.level(number).actions for number in range(1, len(baseline.actions) + 1)]
    if (last := rules.over_budget(taken, baseline.actions)) is None:
        return counts
    return replace(
        counts,
        levels_completed=min(counts.levels_completed, last - 1),
        state=NOT_FINISHED if counts.state == WIN else counts.state,
        actions_by_level=tuple(one for one in counts.actions_by_level if one[0] < last),
    )


def environment_scorecard(card: Scorecard, environments: Sequence[OnCard], *, whole: bool) -> dict[str, Any]:
    """The reply to closing a card and to reading it; unless it is the `whole` one, with the totals alone."""
    lists = [_score_list(one) for one in environments]
    data = {
        "source_url": card.source_url or None,
        "tags": card.tags,
        "opaque": card.opaque,
        "card_id": str(card.card_id),
        "score": rules.total_score(scored["score"] for scored in lists) or 0.0,
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
    return {
        "won": sum(any(counts.state == WIN for counts in one.counts) for one in environments),
        "played": len(environments),
        "total_actions": sum(counts.actions for one in environments for counts in one.counts),
        "levels_completed": sum(
            max(counts.levels_completed for counts in one.counts) for one in environments
        ),
        "cards": {one.game_id: _card(one) for one in environments[::-1] if one.game_id == game_id},
    }


def _card(one: OnCard) -> dict[str, Any]:
    return {
        "game_id": one.game_id,
        "total_plays": len(one.plays),
        "guids": [guid for guid, _ in one.plays],
        **{name: [getattr(counts, name) for counts in one.counts] for name in _OF_PLAYS},
        "states": [counts.state for counts in one.counts],
        "actions_by_level": [[list(pair) for pair in counts.actions_by_level] for counts in one.counts],
        "total_actions": sum(counts.actions for counts in one.counts),
    }


def _score_list(one: OnCard) -> dict[str, Any]:
    runs = [_run(one, *play) for play in one.plays]
    return {
        "id": one.game_id,
        "runs": runs,
        "score": max(run["score"] for run in runs),
        "actions": sum(run["actions"] for run in runs),
        "levels_completed": max(run["levels_completed"] for run in runs),
        "completed": any(run["completed"] for run in runs),
        "level_count": max(len(run["level_scores"]) for run in runs),
        "resets": sum(run["resets"] for run in runs),
    }


def _run(one: OnCard, guid: str | None, counts: PlayCounts) -> dict[str, Any]:
    data: dict[str, Any] = {
        "guid": guid,
        **{name: getattr(counts, name) for name in _OF_PLAYS},
        "state": counts.state,
        "completed": counts.state == WIN,
    }
    if one.baseline.actions:
        levels = _levels(one.baseline, counts)
        data |= {
            "score": rules.environment_score(levels),
            "level_scores": [rules.level_score(level) for level in levels],
            "level_actions": [level.actions for level in levels],
            "level_baseline_actions": [level.baseline for level in levels],
        }
    else:
        taken = _actions_of_levels(counts, len(counts.actions_by_level) + (counts.state != WIN))
        data |= {
            "id": one.game_id,
            "score": 0.0,
            "level_scores": [0.0] * len(taken),
            "level_actions": taken,
            "level_baseline_actions": [-1] * len(taken),
            "number_of_environments": 0,
            "message": _NO_BASELINE,
        }
    return _without_none(data)


def _levels(baseline: Baseline, counts: PlayCounts) -> list[rules.LevelRun]:
    taken = _actions_of_levels(counts, len(baseline.actions))
    completed = len(counts.actions_by_level)
    return [
        rules.LevelRun(index < completed, actions, expected)
        for index, (actions, expected) in enumerate(zip(taken, baseline.actions, strict=True))
    ]


def _actions_of_levels(counts: PlayCounts, levels: int) -> list[int]:
    """The actions of each level: those that completed it, then the rest on the level reached, then zeros."""
    totals = [0, *(total for _, total in counts.actions_by_level), counts.actions][: levels + 1]
    taken = [after - before for before, after in pairwise(totals)]
    return taken + [0] * (levels - len(taken))


def _tags_scores(environments: Sequence[OnCard]) -> list[dict[str, Any]]:
    """The scores by tag, over the levels of each environment's play that got furthest."""
    levels: defaultdict[str, list[tuple[int, rules.LevelRun]]] = defaultdict(list)
    games: defaultdict[str, set[int]] = defaultdict(set)
    for one in environments:
        if not one.baseline.actions:
            continue
        furthest = max(one.counts, key=lambda counts: counts.levels_completed)  # the first of several
        for tag in one.version.metadata.get("tags") or []:
            levels[tag] += enumerate(_levels(one.baseline, furthest), start=1)
            games[tag].add(one.version.environment_id)
    return [
        {
            "id": tag,
            "score": rules.weighted_score(of_tag),
            "levels_completed": sum(level.completed for _, level in of_tag),
            "actions": sum(level.actions for _, level in of_tag),
            "number_of_levels": len(of_tag),
            "number_of_environments": len(games[tag]),
        }
        for tag, of_tag in levels.items()
    ]


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None}
