"""How the center's pages write amounts (docs/configuration.md)."""

from decimal import Decimal

from playtest.play.sessions.page_content import currency
from playtest.rules.pay import CENT, NOTHING, amount_text


def shown(amount: Decimal) -> str:
    """An amount in the center's currency, such as $1,250.00, -$7.50 or CHF 12.00."""
    return amount_text(amount, currency())


def cents(value: Decimal | None) -> Decimal:
    """A sum from the database in whole cents: SQLite adds amounts as binary fractions."""
    return NOTHING if value is None else value.quantize(CENT)
