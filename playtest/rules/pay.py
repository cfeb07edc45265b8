"""What a session is paid (report 5.1): a fixed fee and a bonus for every environment solved.

Amounts are `Decimal` in whole units of one currency, which is the study's: cents, or as many decimals as the
currency has. A session's ledger is a list of signed lines; what is still to be paid is their sum.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from babel.core import Locale
from babel.numbers import format_currency, get_currency_precision, get_currency_symbol

from playtest.rules.errors import RuleError

CENT = Decimal("0.01")
NOTHING = Decimal("0.00")
MOST = Decimal("999999.99")
MOST_DECIMALS = 3  # what the columns of amounts hold
_THOUSANDTH = Decimal("0.001")
_ENGLISH = Locale("en")


def amount_text(amount: Decimal, currency: str) -> str:
    """An amount such as $1,250.00, -$7.50, CHF 12.00, ¥19,000 or KWD 3.500; `currency` is an ISO code."""
    apart = "¤ #,##0" if get_currency_symbol(currency, _ENGLISH).isalpha() else None
    return format_currency(in_units(amount, currency), currency, apart, locale=_ENGLISH)


def amount_number(amount: Decimal, currency: str) -> str:
    """The amount for a file, with the currency's decimals and a point: 1250.00, 19000, 3.500."""
    return format(in_units(amount, currency), "f")


def decimals_of(currency: str) -> int:
    """How many decimals the currency has: 2 for USD, 0 for JPY, 3 for KWD."""
    return get_currency_precision(currency)


def in_units(amount: Decimal, currency: str) -> Decimal:
    """The amount in whole units of its currency, a half rounded up."""
    return amount.quantize(Decimal(1).scaleb(-decimals_of(currency)), ROUND_HALF_UP)


def plain(amount: Decimal | None) -> Decimal:
    """A sum, also from a database (None: of nothing; SQLite adds binary fractions): 2 decimals, or 3."""
    if amount is None:
        return NOTHING
    exact = amount.quantize(_THOUSANDTH, ROUND_HALF_UP)
    return exact.quantize(CENT) if exact == exact.quantize(CENT) else exact


def check_amount(amount: Decimal, currency: str) -> None:
    """Raises RuleError amount_invalid: not a number up to `MOST` on either side, or too many decimals."""
    if not _is_money(amount) or amount != in_units(amount, currency):
        decimals = decimals_of(currency)
        raise RuleError(
            "amount_invalid",
            f"Give an amount up to {MOST:,} in {currency}, with at most {decimals} decimals.",
        )


@dataclass(frozen=True, slots=True)
class Pay:
    """The fee of a session and the bonus for an environment solved, in one currency.

    Raises RuleError `amount_invalid` when an amount is not from 0 to `MOST` with at most three decimals.
    """

    fee: Decimal
    bonus: Decimal

    def __post_init__(self) -> None:
        for amount in (self.fee, self.bonus):
            if not _is_money(amount) or amount < 0:
                message = f"Give an amount from 0 to {MOST}, such as 5.00."
                raise RuleError("amount_invalid", message)

    def check(self, currency: str) -> None:
        """Raises RuleError amount_invalid if an amount has more decimals than the currency."""
        for amount in (self.fee, self.bonus):
            check_amount(amount, currency)

    def of_session(self, environments_solved: int) -> Decimal:
        """The pay of one session. Raises RuleError `solved_negative`."""
        if environments_solved < 0:
            raise RuleError("solved_negative", "The number of environments solved cannot be below zero.")
        return plain(self.fee + self.bonus * environments_solved)

    def expected(self, mean_solved: Decimal, solved_so_far: int = 0) -> Decimal:
        """The pay expected of a session that has not ended: the mean bonus, or what it has already earned."""
        solved = max(mean_solved, Decimal(solved_so_far))
        return plain(self.fee + self.bonus * solved)


class LineKind(StrEnum):
    """What a line of a session's ledger is. Payments are negative; an adjustment has either sign.

    CASH was paid at the desk, PAYMENT is in a batch, RETURNED takes either back: it did not arrive, or was a
    mistake.
    """

    FEE = "fee"
    BONUS = "bonus"
    ADJUSTMENT = "adjustment"
    PAYMENT = "payment"
    CASH = "cash"
    RETURNED = "returned"


PAYING = (LineKind.PAYMENT, LineKind.CASH, LineKind.RETURNED)
"""The lines that say what was paid; all others say what is owed."""


class PaymentState(StrEnum):
    """What became of a payment; its value is how pages say it."""

    CASH = "paid in cash"
    IN_BATCH = "in a batch"
    SENT = "sent"
    FAILED = "failed"
    RETURNED = "returned"
    MISTAKEN = "not paid"


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of a ledger. `paid` is positive: the amount that was given to the payer."""

    fee: Decimal = NOTHING
    bonus: Decimal = NOTHING
    adjustments: Decimal = NOTHING
    paid: Decimal = NOTHING

    @property
    def owed(self) -> Decimal:
        """What the session has earned, paid or not."""
        return self.fee + self.bonus + self.adjustments

    @property
    def unpaid(self) -> Decimal:
        """What is to be paid; below zero if too much was paid."""
        return self.owed - self.paid


def balance(lines: Iterable[tuple[LineKind, Decimal]]) -> Balance:
    """The sums of ledger lines, each a kind and a signed amount; their order does not matter."""
    sums: defaultdict[LineKind, Decimal] = defaultdict(lambda: NOTHING)
    for kind, amount in lines:
        sums[kind] += amount
    paid = NOTHING - sum((sums[kind] for kind in PAYING), NOTHING)
    return Balance(sums[LineKind.FEE], sums[LineKind.BONUS], sums[LineKind.ADJUSTMENT], paid)


def check_adjustment(
    amount: Decimal, owed: Decimal, currency: str, waiting_deductions: Decimal = NOTHING
) -> None:
    """Raises RuleError if a session cannot be adjusted by this amount: amount_invalid, beyond_owed.

    `waiting_deductions` (0 or less) are other deductions that wait for approval.
    """
    check_amount(amount, currency)
    if amount == 0:
        raise RuleError("amount_invalid", "Give an amount that is not zero, such as 10 or -5.")
    left = owed + waiting_deductions
    if amount < 0 and left + amount < 0:
        raise RuleError(
            "beyond_owed",
            f"Only {amount_text(max(left, NOTHING), currency)} can be deducted: that is what the session is"
            " owed, without deductions that wait for approval.",
        )


@dataclass(frozen=True, slots=True)
class Unpaid:
    """What is unpaid of one session; `chosen` if its study and day were chosen for a batch."""

    account: int
    person: int
    amount: Decimal
    chosen: bool = True


def payouts(unpaid: Iterable[Unpaid]) -> dict[int, list[Unpaid]]:
    """The sessions that a batch pays, by person; each person's sum is above zero.

    What a person was paid too much for any session is deducted first. A person who is left with nothing to
    be paid is left out, and the deduction is carried to a later batch.
    """
    by_person: defaultdict[int, list[Unpaid]] = defaultdict(list)
    for one in unpaid:
        if one.amount < 0 or (one.chosen and one.amount > 0):
            by_person[one.person].append(one)
    return {
        person: sorted(sessions, key=lambda one: one.account)
        for person, sessions in by_person.items()
        if sum(one.amount for one in sessions) > 0
    }


class BudgetLevel(StrEnum):
    """How far a study's budget is used."""

    WITHIN = "within"
    WARNING = "warning"
    REACHED = "reached"


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a study may spend on pay, and at which percent of it staff are warned.

    Raises RuleError cap_invalid, percent_invalid.
    """

    cap: Decimal
    warn_percent: int = 80

    def __post_init__(self) -> None:
        if not self.cap.is_finite() or self.cap < 0 or self.cap != plain(self.cap):
            raise RuleError("cap_invalid", "Give a budget of 0 or more, such as 50000.00.")
        if not 1 <= self.warn_percent <= 100:
            raise RuleError("percent_invalid", "Give a percentage from 1 to 100.")

    def left(self, committed: Decimal) -> Decimal:
        """What is left of the budget; below zero if it is exceeded."""
        return self.cap - committed

    def allows(self, committed: Decimal, session: Decimal) -> bool:
        """Whether one more session fits: the cap may be reached exactly, and not by more."""
        return committed + session <= self.cap

    def sessions_left(self, committed: Decimal, session: Decimal) -> int | None:
        """How many more sessions fit; None if sessions cost nothing."""
        return None if session <= 0 else max(0, int(self.left(committed) // session))

    def level(self, committed: Decimal, session: Decimal) -> BudgetLevel:
        """REACHED if no further session fits; WARNING from `warn_percent` on."""
        if not self.allows(committed, session):
            return BudgetLevel.REACHED
        used = committed * 100
        return BudgetLevel.WARNING if used >= self.cap * self.warn_percent else BudgetLevel.WITHIN


def _is_money(amount: Decimal) -> bool:
    return amount.is_finite() and abs(amount) <= MOST and amount == plain(amount)
