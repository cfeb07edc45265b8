"""The changes of a study's settings since its first session."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from playtest.people.templatetags.staff import duration
from playtest.play.models import Study, StudyChange

_LABELS = {
    "soft_seconds": "soft limit",
    "hard_seconds": "hard limit",
    "session_seconds": "session",
    "target_people": "people per environment",
    "fee": "fee",
    "bonus": "bonus",
    "consent_text": "consent text",
    "effort": "effort thresholds",
    "pool": "pool",
}


@dataclass(frozen=True)
class Change:
    """One change. `what` has the name, the old and the new value of each setting."""

    changed_at: datetime
    who: str
    reason: str
    what: tuple[tuple[str, str, str], ...]
    sessions: int
    under_way: int


def changes(study: Study) -> list[Change]:
    """All changes, the newest first."""
    rows = StudyChange.objects.filter(study=study).select_related("changed_by").order_by("-changed_at", "-pk")
    return [
        Change(
            row.changed_at,
            row.changed_by.get_username() if row.changed_by else "the system",
            row.reason,
            tuple(
                (label, _text(name, row.before[name]), _text(name, row.after[name]))
                for name, label in _LABELS.items()
                if name in row.before
            ),
            row.sessions,
            row.under_way,
        )
        for row in rows
    ]


def _text(name: str, value: Any) -> str:
    if name.endswith("_seconds"):
        return f"{duration(value)} min" if value < 3600 else duration(value)
    if name in ("fee", "bonus"):
        return f"${value}"
    if name == "pool":
        return ", ".join(value)
    if name == "consent_text":
        return f"“{value}”"
    return json.dumps(value) if isinstance(value, dict) else str(value)
