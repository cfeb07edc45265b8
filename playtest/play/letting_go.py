"""Which environments are let go when too many are in memory: those that were used least recently.

Each is rebuilt at its next action. One whose action is under way is never let go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playtest.play.live_attempt import LiveAttempt

UNUSED_SECONDS = 5.0
"""A host is taken from people who have not acted for so long; sooner, they would take it from each other."""


def beyond(most: int, attempts: Collection[LiveAttempt]) -> list[LiveAttempt]:
    """Those to let go so that `most` environments stay in memory, as far as that many are not busy."""
    if len(attempts) <= most:
        return []
    running = [one for one in attempts if one.game is not None]
    idle = sorted((one for one in running if not one.busy), key=lambda one: one.used)
    return idle[: max(0, len(running) - most)]


def of_one_host(attempts: Iterable[LiveAttempt], moment: float) -> list[LiveAttempt]:
    """All on the host that nobody has used for longest; none if each host was used just now.

    `moment` is now, by the clock of `LiveAttempt.used`.
    """
    hosts: defaultdict[int, list[LiveAttempt]] = defaultdict(list)
    for one in attempts:
        if one.game is not None and one.game.process is not None:
            hosts[one.game.process].append(one)
    unused = [
        together
        for together in hosts.values()
        if all(not one.busy and moment - one.used >= UNUSED_SECONDS for one in together)
    ]
    return min(unused, key=lambda together: max(one.used for one in together), default=[])
