"""Sessions whose clock another program keeps: no sweep ends them, and no outage stops them."""

from collections.abc import Callable
from datetime import datetime

from playtest.play.models import Session

type Condition = Callable[[Session, datetime], bool]
"""Whether another program keeps the clock of a session at this moment."""

_CONDITIONS: list[Condition] = []


def keep_elsewhere(condition: Condition) -> None:
    """Exclude sessions that meet the condition. Called when a room starts."""
    if condition not in _CONDITIONS:
        _CONDITIONS.append(condition)


def is_kept_elsewhere(session: Session, moment: datetime) -> bool:
    """Whether another program keeps the clock of this session."""
    return any(condition(session, moment) for condition in _CONDITIONS)
