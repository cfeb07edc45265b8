"""What a state is called on a page and in an address, and how a sentence says what can come of it."""

import re
from string import ascii_uppercase
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from playtest.insight.states.layout import Mark
from playtest.insight.states.level import LevelStates
from playtest.rules.state_space.outlooks import Outlook

OUTLOOK_LABELS = {
    Outlook.OPEN: "a win can be reached",
    Outlook.WON: "level completed",
    Outlook.UNKNOWN: "no win is known",
    Outlook.DEAD_END: "no win can be reached",
    Outlook.LOST: "level lost",
}
"""In the order of their bands."""
_HASH = 1 << 64
_KEY = re.compile("[0-9a-f]{16}(-[0-9]+)?")


class Names:
    """The names of the states of people on a level: letters for those where people stopped, most first."""

    def __init__(self, states: LevelStates) -> None:
        self._states = states
        ends = [state for state, use in states.uses.items() if use.stopped]
        ends.sort(key=lambda state: (-len(states.uses[state].stopped), -len(states.uses[state].first), state))
        self.ends = ends
        """The states in which people stopped, most first."""
        self._letters = dict(zip(ends, ascii_uppercase, strict=False))
        known = states.located.space.hashes[: states.located.explored]
        ordinary, counts = np.unique(known, return_counts=True)
        self._shared = set(ordinary[counts > 1].tolist())

    def key(self, state: int) -> str:
        """What names the state in an address: its hash; its number too where explored states share it."""
        hashed = int(self._states.located.space.hashes[state])
        plain = f"{hashed % _HASH:016x}"
        shared = state < self._states.located.explored and hashed in self._shared
        return f"{plain}-{state}" if shared else plain

    def find(self, key: str) -> int | None:
        """The state of people with this key."""
        if not _KEY.fullmatch(key):
            return None
        hashed = np.uint64(int(key[:16], 16))
        same = np.flatnonzero(self._states.located.space.hashes.view(np.uint64) == hashed).tolist()
        return next((state for state in same if state in self._states.uses and self.key(state) == key), None)

    def name(self, state: int) -> str:
        """A letter, or the beginning of its hash."""
        return self._letters.get(state) or self.key(state)[:6]

    def address(self, state: int) -> str:
        """The page of a state."""
        of = self._states.results.version.environment.code
        return self._with_query(reverse("insight:state", args=[of, self._states.level, self.key(state)]))

    def list_address(self, mark: Mark, end: int) -> str:
        """The list of the states of a mark, whose column ends before `end`."""
        of = self._states.results.version.environment.code
        chosen = urlencode({"outlook": mark.outlook.name.lower(), "from": mark.x, "until": end})
        return self._with_query(reverse("insight:states-list", args=[of, self._states.level]), chosen)

    def _with_query(self, address: str, chosen: str = "") -> str:
        results = self._states.results
        query = "&".join(
            filter(None, [urlencode({"version": results.version.digest}), results.scope.query, chosen])
        )
        return f"{address}?{query}"

    def outlook(self, state: int) -> str:
        """What can come of a state, as a part of a sentence."""
        fewest = self._states.fewest(state)
        outlook = self._states.outlook(state)
        if outlook == Outlook.OPEN and fewest is not None:
            return f"{win_in(fewest, exact=self._states.exact(state))}"
        return OUTLOOK_LABELS[outlook]


def win_in(actions: int, *, exact: bool) -> str:
    """ "a win is at most 5 actions away"."""
    return f"a win is {'' if exact else 'at most '}{actions} action{'' if actions == 1 else 's'} away"


def people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"
