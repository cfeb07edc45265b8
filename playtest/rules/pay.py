"""What a session is paid (report 5.1): a fixed fee and a bonus for every environment solved."""

from dataclasses import dataclass
from decimal import Decimal

from playtest.rules.errors import RuleError

CENT = Decimal("0.01")
MOST = Decimal("999999.99")


@dataclass(frozen=True, slots=True)
class Pay:
    """The fee of a session and the bonus for an environment solved, in one currency.

    Raises RuleError `amount_invalid` when an amount is not from 0 to `MOST` in whole cents.
    """

    fee: Decimal
    bonus: Decimal

    def __post_init__(self) -> None:
        for amount in (self.fee, self.bonus):
            if not amount.is_finite() or not 0 <= amount <= MOST or amount != amount.quantize(CENT):
                message = f"Give an amount from 0 to {MOST} in whole cents, such as 5.00."
                raise RuleError("amount_invalid", message)

    def of_session(self, environments_solved: int) -> Decimal:
        """The pay of one session, to the cent. Raises RuleError `solved_negative`."""
        if environments_solved < 0:
            raise RuleError("solved_negative", "The number of environments solved cannot be below zero.")
        return (self.fee + self.bonus * environments_solved).quantize(CENT)
