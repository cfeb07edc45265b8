"""Whether a mark of redundancy is in force, and what the gates make of it.

One person claims that two candidates are redundant: a single solution would likely solve both. Another one
agrees or lifts the claim, as in the consensus review of ARC-AGI-2 (its paper, "Redundancy detection").
"""

from collections.abc import Collection
from enum import StrEnum

from playtest.rules.errors import RuleError


class Standing(StrEnum):
    """Where a mark stands."""

    OPEN = "open"
    AGREED = "agreed"
    LIFTED = "lifted"

    @property
    def in_force(self) -> bool:
        """Whether the pair is held to be redundant until the contrary is said."""
        return self is not Standing.LIFTED


def standing(answers: Collection[bool]) -> Standing:
    """Of a mark with these answers: True agrees, False lifts. Whatever is lifted stays so."""
    if False in answers:
        return Standing.LIFTED
    return Standing.AGREED if answers else Standing.OPEN


def check_answer(now: Standing, *, agrees: bool, marked_by: int | None, by: int) -> None:
    """Refuses an answer by the person who marked the pair, and one that changes nothing.

    `marked_by` is None of a mark whose author is not known. RuleError own_mark, answered_already.
    """
    if marked_by == by:
        raise RuleError("own_mark", "Somebody else than who marked them agrees or lifts the mark.")
    if now is Standing.LIFTED:
        raise RuleError("answered_already", "This mark has been lifted: mark the pair again if you disagree.")
    if agrees and now is Standing.AGREED:
        raise RuleError("answered_already", "Somebody has agreed to this mark already.")
