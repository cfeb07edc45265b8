"""Environments of a key divided at random into development, held-out and final ones, with a report of a card.

What an agent was tuned on says little about other environments. The draw is on record with its seed, and so
is the one reading of the final part.
"""

import secrets
from dataclasses import dataclass
from statistics import fmean, median

from playtest.arena.models import ApiKey, FinalReading, Holdout, Scorecard
from playtest.arena.runs.cards import offered
from playtest.arena.scores.card_scores import CardScore
from playtest.arena.scores.run_analyses import CardAnalysis
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.rules.run_analysis import Part, RunAnalysis, drawn

LEAST = 3
LONGEST_SEED = 40


@dataclass(frozen=True)
class PartReport:
    """What a card shows of a part: of how many environments it played some, and all their levels together."""

    part: Part
    environments: int
    played: int
    score: float | None
    run: RunAnalysis

    @property
    def completed(self) -> list[int]:
        """The actions of each level that was completed."""
        return [one.result.actions for one in self.run.levels if one.result.completed]

    @property
    def actions(self) -> float | None:
        return median(self.completed) if self.completed else None


@dataclass(frozen=True)
class HoldoutReport:
    """The draw that counts and its parts; the final one only on the card on which it was read."""

    holdout: Holdout
    parts: tuple[PartReport, ...]
    reading: FinalReading | None
    draws: int


def draw(key: ApiKey, seed: str, staff: Staff) -> Holdout:
    """Divides the environments that a key may play now; without a seed one is drawn.

    Refusal: too_few_environments; seed_too_long (400).
    """
    seed = seed.strip() or str(secrets.randbelow(1_000_000))
    if len(seed) > LONGEST_SEED:
        raise Refusal("seed_too_long", f"A seed has at most {LONGEST_SEED} characters.", status=400)
    codes = [version.environment.code for version in offered(key.sets)]
    if len(codes) < LEAST:
        message = f"A key needs at least {LEAST} environments to divide: it may play {len(codes)}."
        raise Refusal("too_few_environments", message)
    parts = {part.value: found for part, found in drawn(codes, seed).items()}
    return Holdout.objects.create(key=key, seed=seed, parts=parts, drawn_at=now(), drawn_by=staff)


def read_final(card: Scorecard, staff: Staff) -> FinalReading:
    """Reads the final part on a closed card. Refusal: parts_missing, card_open, final_read."""
    holdout = Holdout.objects.filter(key=card.key_id).first()
    if holdout is None:
        raise Refusal("parts_missing", "Draw the parts of this key first.")
    if card.closed_at is None:
        raise Refusal("card_open", "Close this scorecard first: its score can still change.")
    with once("final_read", "The final part was read already: it is read once."):
        return FinalReading.objects.create(holdout=holdout, card=card, read_at=now(), read_by=staff)


def holdout_report(score: CardScore, analysis: CardAnalysis) -> HoldoutReport | None:
    """The report of a card; None if its key's environments are not divided."""
    if score.draw is None:
        return None
    holdout = score.draw.holdout
    runs = {one.code: one.analysis.levels if one.analysis else () for one in analysis.plays}
    scores = {one.code: one.score for one in score.environments if one.played and not one.problem}
    reading: FinalReading | None = getattr(holdout, "final_reading", None)
    here = reading is not None and reading.card_id == score.card.pk
    parts = []
    for part in Part if here else (Part.DEVELOPMENT, Part.HELD_OUT):
        codes: list[str] = holdout.parts[part]
        played = [code for code in codes if code in runs]
        scored = [scores[code] for code in codes if code in scores]
        together = RunAnalysis(tuple(level for code in played for level in runs[code]), ())
        mean = fmean(scored) if scored else None
        parts.append(PartReport(part, len(codes), len(played), mean, together))
    draws = Holdout.objects.filter(key=holdout.key_id).count()
    return HoldoutReport(holdout, tuple(parts), reading, draws)
