"""What a session is paid (report 5.1): a fixed fee and a bonus for every environment solved."""

from decimal import Decimal

from playtest.rules.errors import RuleError

CENT = Decimal("0.01")
MOST = Decimal("999999.99")


def session_pay(fee: Decimal, bonus: Decimal, environments_solved: int) -> Decimal:
    """The pay of one session, to the cent, in the currency of `fee` and `bonus`.

    Raises RuleError `amount_invalid` when an amount is not from 0 to `MOST` in whole cents, and
    `solved_negative`.
    """
    for amount in (fee, bonus):
        if amount.is_nan() or not 0 <= amount <= MOST or amount != amount.quantize(CENT):
            raise RuleError(
                "amount_invalid", f"Give an amount from 0 to {MOST} in whole cents, such as 5.00."
            )
    if environments_solved < 0:
        raise RuleError("solved_negative", "The number of environments solved cannot be below zero.")
    return (fee + bonus * environments_solved).quantize(CENT)
