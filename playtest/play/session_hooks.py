"""What higher rooms add to sessions when they start: why none may be promised, and what follows an end.

A rule on new sessions is called when places are promised, with the study's row locked. What
follows an end is called within the transaction that ends the session. It must never keep a session from
ending: if it fails, its own writes are undone and the failure is logged. Its room has to try again later.
"""

import logging
from collections.abc import Callable

from django.db import transaction

from playtest.play.errors import Refusal
from playtest.play.models import Session, Study

logger = logging.getLogger(__name__)

type Rule = Callable[[Study, int], Refusal | None]
"""Why this study gets no more sessions, of which so many are wanted; None if nothing speaks against it."""

type Follower = Callable[[Session], object]

_RULES: list[Rule] = []
_FOLLOWERS: list[Follower] = []


def refuse_new_sessions(rule: Rule) -> None:
    """Adds a rule on new sessions. Called when a room starts."""
    if rule not in _RULES:
        _RULES.append(rule)


def after_session_end(follower: Follower) -> None:
    """Adds what follows the end of each session. Called when a room starts."""
    if follower not in _FOLLOWERS:
        _FOLLOWERS.append(follower)


def refuse_sessions(study: Study, wanted: int) -> None:
    """Raises the Refusal of the first rule that gives one."""
    for rule in _RULES:
        if (refusal := rule(study, wanted)) is not None:
            raise refusal


def session_has_ended(session: Session) -> None:
    """Calls everything that follows the end of a session; never raises."""
    for follower in _FOLLOWERS:
        try:
            with transaction.atomic():
                follower(session)
        except Exception:
            logger.exception("Session %s ended, but what follows failed. (after_end_failed)", session.pk)
