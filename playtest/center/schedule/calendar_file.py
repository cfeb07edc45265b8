"""A slot as an iCalendar file (RFC 5545), which mail programs offer to put into a calendar."""

from datetime import UTC, datetime

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
