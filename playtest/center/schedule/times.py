"""Times of the center: planned and shown in CENTER_TIME_ZONE, stored in UTC."""

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from playtest.play.errors import Refusal


def zone() -> ZoneInfo:
    found: ZoneInfo = settings.CENTER_TIME_ZONE
    return found


def local(moment: datetime) -> datetime:
    """A moment on the center's clock."""
    return moment.astimezone(zone())


def moment_of(day: date, at: time) -> datetime:
    """The moment in UTC at which the center's clock shows this; the first one if it does so twice.

    Refusal: time_does_not_exist, if the clocks skip it, or it is beyond what can be stored.
    """
    shown = datetime.combine(day, at)
    found: datetime | None = None
    with suppress(OverflowError):
        found = shown.replace(tzinfo=zone()).astimezone(UTC)
    if found is None or local(found).replace(tzinfo=None) != shown:
        raise Refusal(
            "time_does_not_exist",
            f"On {day:%d %B %Y} the clocks of the center never show {at:%H:%M}. Choose another time.",
            status=400,
        )
    return found


def week_of(day: date) -> tuple[datetime, datetime]:
    """The week of a day, from Monday 0:00 to the next, as moments."""
    monday = day - timedelta(days=day.weekday())
    return midnight(monday), midnight(monday + timedelta(days=7))


def midnight(day: date) -> datetime:
    """The beginning of a day on the center's clock, in UTC."""
    return datetime.combine(day, time(), tzinfo=zone()).astimezone(UTC)


def long_day(moment: datetime) -> str:
    """Monday 23 November 2026"""
    shown = local(moment)
    return f"{shown:%A} {shown.day} {shown:%B %Y}"


def span(starts_at: datetime, ends_at: datetime) -> str:
    """09:00 to 10:30"""
    return f"{local(starts_at):%H:%M} to {local(ends_at):%H:%M}"
