"""What a session is paid (report 5.1): a fixed fee and a bonus for every environment solved."""

from decimal import Decimal

from playtest.rules.errors import RuleError

CENT = Decimal("0.01")


def session_pay(fee: Decimal, bonus: Decimal, environments_solved: int) -> Decimal:
    """The pay of one session, to the cent, in the currency of `fee` and `bonus`.

    Raises RuleError `amount_invalid` when an amount is negative, not a number or finer than a cent, and
    `solved_negative`.
    """
    for amount in (fee, bonus):
        if not amount.is_finite() or amount < 0 or amount != amount.quantize(CENT):
            raise RuleError(
                "amount_invalid", "Give an amount of zero or more in whole cents, such as 115.00."
            )
    if environments_solved < 0:
        raise RuleError("solved_negative", "The number of environments solved cannot be below zero.")
    return (fee + bonus * environments_solved).quantize(CENT)
