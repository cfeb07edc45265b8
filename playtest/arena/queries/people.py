"""People's own scores, against the same baselines and by the same reading as agents'."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import polars as pl

from playtest.arena.queries.baselines import Baseline
from playtest.arena.queries.level_counts import PlayCounts, play_counts
from playtest.arena.queries.scores import CardScore
from playtest.arena.queries.scoring import compared_with, score_counts
from playtest.insight.results.tables import attempts
from playtest.insight.scope import EVERYONE
from playtest.rules.score import Reading
from playtest.rules.score_intervals import Difference, Environment, difference
from playtest.studio.models import Version


@dataclass(frozen=True)
class PersonScore:
    """One attempt that counts, of a real person who is not excluded; the score is None without a baseline."""

    attempt_id: int
    participant: str
    counts: PlayCounts
    score: float | None


def people_scores(
    versions: Collection[Version], baselines: Mapping[int, Baseline], reading: Reading
) -> dict[int, list[PersonScore]]:
    """The scores of the people who tested each version, by its primary key. No budget ends a person's play.

    Attempts that are excluded in part are left out. Level results have to be up to date.
    """
    reading = replace(reading, budget=False)
    found: dict[int, list[PersonScore]] = {version.pk: [] for version in versions}
    if not versions:
        return found
    tested = attempts(EVERYONE, [version.environment for version in versions]).filter(
        pl.col("counted"), pl.col("excluded_from").is_null(), pl.col("version").is_in(list(found))
    )
    rows = tested.select("attempt", "version", "participant").rows()
    counts = play_counts([attempt for attempt, _, _ in rows], undo_counts=reading.undo_counts)
    levels = {version.pk: version.levels for version in versions}
    for attempt, version, participant in rows:
        compared, _ = compared_with(baselines[version], reading.variant)
        _, score = score_counts(counts[attempt], levels[version], baselines[version], compared, reading)
        found[version].append(PersonScore(attempt, participant, counts[attempt], score if compared else None))
    return found


def difference_to_people(card: CardScore) -> Difference | None:
    """How the card's score differs from the people's, over the environments that both played."""
    played = [one for one in card.environments if one.plays and not one.problem]
    baselines = {one.version.pk: one.baseline for one in played}
    people = people_scores([one.version for one in played], baselines, card.reading)
    return difference(
        [
            Environment(
                (one.score,),
                tuple(each.score for each in people[one.version.pk] if each.score is not None),
            )
            for one in played
        ]
    )
