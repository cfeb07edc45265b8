"""How many people, sittings and hours it takes, and what they are paid."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from playtest.rules.pay import CENT, Pay


@dataclass(frozen=True, slots=True)
class Recruiting:
    """What a study takes. `cost` is the pay that is expected; `hours` are those of people at a station."""

    people: int
    sittings: int
    begun: int
    counted: int
    hours: float
    cost: Decimal

    @property
    def counted_each(self) -> float:
        """Mean counted attempts of a person."""
        return self.counted / self.people


def recruiting(
    environments: int,
    people: int,
    *,
    a_sitting: int,
    sittings_each: int,
    counting: float,
    success: float,
    pay: Pay,
    sitting_seconds: float,
) -> Recruiting:
    """What it takes for `people` counted attempts on each environment.

    A person meets an environment once, `a_sitting` of them in each of `sittings_each` sittings. Of the
    attempts begun the share `counting` counts, and of those `success` earn the bonus.
    """
    begun = ceil(people / counting - 1e-9) * environments
    each = min(a_sitting * sittings_each, environments)
    full, left = divmod(begun, each)
    sittings = full * ceil(each / a_sitting) + ceil(left / a_sitting)
    counted = people * environments
    bonus = pay.bonus * counted * Decimal(success)
    return Recruiting(
        people=full + bool(left),
        sittings=sittings,
        begun=begun,
        counted=counted,
        hours=sittings * sitting_seconds / 3600,
        cost=(pay.fee * sittings + bonus).quantize(CENT, ROUND_HALF_UP),
    )
