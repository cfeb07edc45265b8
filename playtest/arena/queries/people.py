"""People's own scores, against the same baselines and by the same reading as agents'."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from playtest.arena.queries.baselines import Baseline
from playtest.arena.queries.level_counts import LevelCount, PlayCounts, play_counts
from playtest.arena.queries.scores import CardScore
from playtest.arena.queries.scoring import compared_with, score_counts
from playtest.insight.results.tables import attempts, levels
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
    counts = _counts(tested, undo_counts=reading.undo_counts)
    how_many = {version.pk: version.levels for version in versions}
    for attempt, version, participant in rows:
        compared, _ = compared_with(baselines[version], reading.variant)
        _, score = score_counts(counts[attempt], how_many[version], baselines[version], compared, reading)
        found[version].append(PersonScore(attempt, participant, counts[attempt], score if compared else None))
    return found


def _counts(tested: pl.DataFrame, *, undo_counts: bool) -> dict[int, PlayCounts]:
    """The counts of each attempt: of stored level results, which do not say how many actions were undos."""
    attempt_ids = tested["attempt"].to_list()
    if not undo_counts:
        return play_counts(attempt_ids, undo_counts=False)
    found = dict.fromkeys(attempt_ids, PlayCounts())
    reached = levels(tested, EVERYONE).sort("attempt", "level")
    for (attempt, *_), rows in reached.group_by("attempt", maintain_order=True):
        counts = [
            LevelCount(*row) for row in rows.select("level", "actions", "resets", "completed").iter_rows()
        ]
        found[int(str(attempt))] = PlayCounts(
            actions=sum(one.actions for one in counts),
            resets=sum(one.resets for one in counts),
            levels_completed=sum(one.completed for one in counts),
            levels=tuple(counts),
        )
    return found


def difference_to_people(card: CardScore) -> Difference | None:
    """How the card's score differs from the people's, over the environments that both played."""
    return differences_to_people([card])[card.card.pk]


def differences_to_people(
    cards: Sequence[CardScore], *, with_intervals: bool = True
) -> dict[int, Difference | None]:
    """The same of several cards that are read in one way, by primary key."""
    played = {
        card.card.pk: [one for one in card.environments if one.plays and not one.problem] for card in cards
    }
    versions = {one.version.pk: one for of_card in played.values() for one in of_card}
    people = people_scores(
        [one.version for one in versions.values()],
        {pk: one.baseline for pk, one in versions.items()},
        cards[0].reading if cards else Reading(),
    )
    known = {pk: tuple(one.score for one in of if one.score is not None) for pk, of in people.items()}
    return {
        card: difference(
            [Environment((one.score,), known[one.version.pk]) for one in of_card],
            with_interval=with_intervals,
        )
        for card, of_card in played.items()
    }
