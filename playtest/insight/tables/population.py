"""Who a page of results counts: said once on the page, and the same for everything that it shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.scope import Scope
from playtest.insight.tables.results import in_scope
from playtest.review.queries.exclusions import VOIDED
from playtest.rules.attempt import CUT_SHORT, LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.labels import OUTCOME_LABELS
from playtest.rules.text import counted, persons


@dataclass(frozen=True)
class Population:
    """People with their attempts, and how many of these are in no share.

    `doubted` people are under review: among them, or left out by the scope. `excluded` attempts are left out
    unless the scope has them; staff `voided` some of them, reviewers excluded the others. `at_once`,
    `cut_short`, `faults` and `unfinished` count attempts.
    """

    scope: Scope
    people: int
    attempts: int
    doubted: int
    at_once: int
    cut_short: int
    faults: int
    unfinished: int
    excluded: int
    voided: int
    excluded_in_part: int

    @property
    def sentence(self) -> str:
        """How many they are, and `reservations`."""
        attempts = "" if self.attempts == self.people else f", {counted(self.attempts, 'attempt')}"
        return f"{persons(self.people)}{attempts}. {self.reservations}".strip()

    @property
    def reservations(self) -> str:
        """Who of them is under review, and what is in no share."""
        apart = {
            (OUTCOME_LABELS | self.scope.other_labels)[LEFT_AT_ONCE]: self.at_once,
            "cut short": self.cut_short,
            "ended by a fault": self.faults,
            "still playing": self.unfinished,
        }
        listed = ", ".join(f"{number} {label}" for label, number in apart.items() if number)
        shares = f" In no share: {listed}." if listed else ""
        return f"{self._review}{shares}".strip()

    @property
    def _review(self) -> str:
        if not self.doubted:
            return ""
        until = "until a reviewer decides about their effort flags."
        if self.scope.without_review:
            return f" {self.doubted} under review not counted here; a baseline counts them {until}"
        return f" {self.doubted} under review, hatched where drawn: counted, as in a baseline, {until}"


def population_of(
    everyone: pl.DataFrame, scope: Scope, counting: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows
) -> Population:
    """The population of a scope, from ATTEMPT rows of its `whole`; of those of them that are `counting`."""
    attempts, outcome = counting(in_scope(everyone, scope)), pl.col("outcome")
    reviewed = counting(in_scope(everyone, replace(scope, without_review=False)))
    excluded = everyone.filter(pl.col("excluded_from") == 0)
    return Population(
        scope,
        people=attempts["participant"].n_unique(),
        attempts=attempts.height,
        doubted=reviewed.filter("under_review")["participant"].n_unique(),
        excluded=excluded.height,
        voided=excluded.filter(pl.col("why_excluded").str.starts_with(VOIDED)).height,
        excluded_in_part=everyone.filter(pl.col("excluded_from") > 0).height,
        **attempts.select(
            at_once=(outcome.is_in(list(LOST)) & ~pl.col("enough")).sum(),
            cut_short=outcome.is_in(list(CUT_SHORT)).sum(),
            faults=(outcome == Outcome.FAULT.value).sum(),
            unfinished=(outcome == "").sum(),
        ).row(0, named=True),
    )
