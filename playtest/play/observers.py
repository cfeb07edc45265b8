"""Observers of the pages that are open in this process: what a higher room sees of people while they play.

A higher room adds its observer when it starts. It is called after the page has its answer. It must return at
once, and its errors are logged here: no observer can make an action slower or fail.
"""

import logging
from collections.abc import Callable

from engine.turns import EncodedTurn
from playtest.play.page.connected_session import ConnectedSession

logger = logging.getLogger(__name__)


class Observer:
    """Receives what happens on open pages; each method does nothing unless it is overridden.

    Turns are reported only while `observing` is True.
    """

    observing = False

    def opened(self, session: ConnectedSession) -> None:
        """A page of this session has connected."""

    def closed(self, session: ConnectedSession) -> None:
        """This connection has ended; a newer one of the same session may be open."""

    def turned(self, session: ConnectedSession, turn: EncodedTurn) -> None:
        """A turn was sent: an action's, which is durable, or the keyframe that a page continues from."""


_OBSERVERS: list[Observer] = []


def add_observer(observer: Observer) -> Observer:
    """Adds an observer to this process. Called when a room starts."""
    if observer not in _OBSERVERS:
        _OBSERVERS.append(observer)
    return observer


def opened(session: ConnectedSession) -> None:
    """Reports a connection to every observer."""
    for observer in _OBSERVERS:
        _report(observer.opened, session)


def closed(session: ConnectedSession) -> None:
    """Reports the end of a connection to every observer."""
    for observer in _OBSERVERS:
        _report(observer.closed, session)


def turned(session: ConnectedSession, turn: EncodedTurn) -> None:
    """Reports a turn to those who observe at the moment."""
    for observer in _OBSERVERS:
        if observer.observing:
            _report(observer.turned, session, turn)


def _report[**P](method: Callable[P, None], *arguments: P.args, **named: P.kwargs) -> None:
    try:
        method(*arguments, **named)
    except Exception:
        logger.exception("an observer of play failed")
