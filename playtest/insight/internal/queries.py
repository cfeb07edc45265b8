"""Internal plays of an environment, and what one of them shows of each level."""

from dataclasses import dataclass

from playtest.insight.models import LevelResult
from playtest.insight.services.results import bring_up_to_date
from playtest.play.models import Attempt
from playtest.play.sessions.internal_plays import internal_plays, with_progress
from playtest.review.journal_document import fewest_by_level
from playtest.studio.models import Environment, Version

MOST_PLAYS = 30


@dataclass(frozen=True)
class LevelOfPlay:
    """A level that a play reached, beside the fewest actions known for it (None: none are)."""

    result: LevelResult
    fewest: int | None


def plays_of(environment: Environment) -> list[Attempt]:
    """The newest MOST_PLAYS internal plays of all versions, with `acted` and `done`."""
    rows = with_progress(internal_plays().filter(environment=environment))
    return list(rows.order_by("-pk")[:MOST_PLAYS])


def levels_of(play: Attempt, version: Version) -> list[LevelOfPlay]:
    """The levels that a play reached, in order, as of now."""
    bring_up_to_date(Attempt.objects.filter(pk=play.pk))
    fewest = fewest_by_level(version)
    rows = LevelResult.objects.filter(attempt=play).order_by("level")
    return [LevelOfPlay(row, fewest[row.level - 1]) for row in rows]
