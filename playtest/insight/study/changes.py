"""What was changed of a study while it had sessions, in words."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from playtest.people.templatetags.staff import duration
from playtest.play.models import Study, StudyChange

_WORDS = {
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
    """One change; `what` has, for each setting, its name, what it was and what it became."""

    changed_at: datetime
    who: str
    reason: str
    what: tuple[tuple[str, str, str], ...]
    sessions: int
    under_way: int


def changes(study: Study) -> list[Change]:
    """The newest first."""
    rows = StudyChange.objects.filter(study=study).select_related("changed_by").order_by("-changed_at", "-pk")
    return [
        Change(
            row.changed_at,
            row.changed_by.get_username() if row.changed_by else "the system",
            row.reason,
            tuple(
                (words, _said(name, row.before[name]), _said(name, row.after[name]))
                for name, words in _WORDS.items()
                if name in row.before
            ),
            row.sessions,
            row.under_way,
        )
        for row in rows
    ]


def _said(name: str, value: Any) -> str:
    if name.endswith("_seconds"):
        return f"{duration(value)} min" if value < 3600 else duration(value)
    if name in ("fee", "bonus"):
        return f"${value}"
    if name == "pool":
        return ", ".join(value)
    if name == "consent_text":
        return f"“{value}”"
    return json.dumps(value) if isinstance(value, dict) else str(value)
