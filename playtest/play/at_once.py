"""An extension of ASGI: binary messages that a server hands to a socket's consumer at once.

A message usually crosses a queue and two tasks before its consumer sees it, and its answer a chain of calls
before it is sent: most of what an action costs this process. A server that can offers, in the scope's
`extensions`, an object that calls the consumer and sends for it. Servers that cannot leave it out, and the
consumer receives and sends everything as ASGI describes.
"""

from collections.abc import Callable
from typing import Any, Protocol

EXTENSION = "playtest.at_once"


class Socket(Protocol):
    """A connection as its server offers it.

    `take` is set by the consumer. It is called with a binary message that came when none waited to be
    received, from the event loop and outside of any task. It returns whether it takes the message. One that
    it does not take is received as usual.
    """

    take: Callable[[bytes], bool] | None

    def send_binary(self, payload: bytes) -> None:
        """Sends a message now; does nothing once the connection is closing."""

    def receive_later(self, message: dict[str, Any]) -> None:
        """Lets the consumer receive this message after those that wait."""


def offered(scope: Any) -> Socket | None:
    """What the server of a connection offers; None if it does not know the extension."""
    found: Socket | None = (scope.get("extensions") or {}).get(EXTENSION)
    return found
