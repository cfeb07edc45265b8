"""Times of the center: planned and shown in CENTER_TIME_ZONE, stored in UTC; a slot as an iCalendar file."""

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


_MOST_OCTETS = 75
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


def calendar_file(
    *,
    uid: str,
    stamp: datetime,
    starts_at: datetime,
    ends_at: datetime,
    summary: str,
    place: str,
    sequence: int = 0,
    cancelled: bool = False,
) -> str:
    """One event. `sequence` grows with each change; the same `uid` with a higher one replaces the event."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Playtest//Schedule//EN",
        f"METHOD:{'CANCEL' if cancelled else 'PUBLISH'}",
        "BEGIN:VEVENT",
        f"UID:{_text(uid)}",
        f"DTSTAMP:{_moment(stamp)}",
        f"DTSTART:{_moment(starts_at)}",
        f"DTEND:{_moment(ends_at)}",
        f"SEQUENCE:{sequence}",
        f"SUMMARY:{_text(summary)}",
        f"LOCATION:{_text(place)}",
        f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _moment(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    return value.translate(_ESCAPED)


def _folded(line: str) -> list[str]:
    """The line in parts of at most 75 octets; each part after the first begins with a space."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > _MOST_OCTETS:
            parts.append(part)
            part = " "
        part += letter
    return [*parts, part]
