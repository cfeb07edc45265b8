"""How many connections may be open that say nothing, and how many sockets one owner may have.

Neither limit counts what others do against somebody: an owner is known by a cookie or a key, and of the
connections that have not said anything yet, those who have most lose their oldest. So a room behind one
address stays connected, whatever one of its machines does.
"""

from collections import Counter
from collections.abc import Callable, Hashable

SOCKETS_OF_A_STATION = 4
SOCKETS_OF_A_MEMBER_OF_STAFF = 8
SOCKETS_OF_A_KEY = 32


class OpenSockets:
    """The open sockets of each owner in this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[Hashable] = Counter()

    def enter(self, owner: Hashable) -> bool:
        """Whether the owner may open one more; then it counts until `leave`."""
        if self._open[owner] >= self._most:
            return False
        self._open[owner] += 1
        return True

    def leave(self, owner: Hashable) -> None:
        self._open[owner] -= 1
        if not self._open[owner]:
            del self._open[owner]


class WaitingConnections:
    """Connections that the server waits for: they have not said yet what they want, or who they are.

    Beyond `most`, the address that has most of them loses the one that has waited the longest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[object, tuple[str, Callable[[], object]]] = {}
        self._of_addresses: Counter[str] = Counter()

    def add(self, connection: object, address: str, end: Callable[[], object]) -> None:
        """Count a connection until `discard`; `end` ends it."""
        self._waiting[connection] = (address, end)
        self._of_addresses[address] += 1
        if len(self._waiting) > self._most:
            [(largest, _)] = self._of_addresses.most_common(1)
            oldest = next(one for one, (where, _) in self._waiting.items() if where == largest)
            _, end_oldest = self._waiting[oldest]
            self.discard(oldest)
            end_oldest()

    def discard(self, connection: object) -> None:
        """The connection has said what it had to, or is gone."""
        address, _ = self._waiting.pop(connection, ("", None))
        if address:
            self._of_addresses[address] -= 1
            if not self._of_addresses[address]:
                del self._of_addresses[address]
