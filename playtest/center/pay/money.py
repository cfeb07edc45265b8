"""How the center's pages write amounts and days: its currency and its time zone (docs/configuration.md)."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.conf import settings

from playtest.play.sessions.page_content import currency
from playtest.rules.pay import CENT, NOTHING, amount_text


def shown(amount: Decimal) -> str:
    """An amount in the center's currency, such as $1,250.00, -$7.50 or CHF 12.00."""
    return amount_text(amount, currency())


def day_of(moment: datetime) -> date:
    """The day of a moment in the center's time zone."""
    return moment.astimezone(_zone()).date()


def start_of(day: date) -> datetime:
    """The moment at which a day begins in the center's time zone."""
    return datetime.combine(day, time(), _zone()).astimezone(UTC)


def end_of(day: date) -> datetime:
    """The moment at which the next day begins."""
    return start_of(day + timedelta(days=1))


def _zone() -> ZoneInfo:
    zone: ZoneInfo = settings.CENTER_TIME_ZONE
    return zone


def cents(value: Decimal | None) -> Decimal:
    """A sum from the database in whole cents: SQLite adds amounts as binary fractions."""
    return NOTHING if value is None else value.quantize(CENT)
