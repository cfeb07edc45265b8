"""Places that look alike: directions only; it cannot be lost, so its loss gives up."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import Level, Step, keys

CONTROLS = (1, 2, 3, 4)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "DDRDDLDDRDLL",
    "DDDLULLDDRULURDRUUUURULDLLUDR",
    "LDDRDLLLDLUDDDRRDRUUUURULLDLLDDR",
    "UURRRDLULDLDDRRULUURRDLULDLUURRDULDLL",
    "ULDDRDRRULDLUUUUULURDRURULUUUUUUL",
    "DRRDDRDLDLLURDRUUUURULDDDRULUULLUU",
    "UUURDURDDLULDRDDRRULDLUURULDLRU",
    "LLDLDRUUULDDRDDRRULDLUULURDDDLUURUUU",
)

TRIED = (
    "DDRLDD X",
    "DDDLUU X",
    "LDDRDDLD X",
    "RURDDR X",
    "UDRDRR X",
    "DDRDLU X",
    "UUURDDD X",
    "LLDRUR X",
)

LOST = FEWEST[0] + "DDDLUU" + "UDLR" * 4

actions = keys


class Alike(Level):
    """A level of ws72; its blocks may be `fixed`, and signs of the picture may be `changed`."""

    def __init__(
        self, rules: ModuleType, level: int, changed: tuple[str, str] = ("", ""), *, fixed: bool = False
    ) -> None:
        self._rules = rules
        picture = self._rules.LEVELS[level - 1].translate(str.maketrans(*changed))
        self._board, self.start = self._rules.parse(picture)
        self._fixed = fixed

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in zip("UDLR", self._rules.DIRECTIONS.values(), strict=True):
            after = self._rules.step(self._board, state, direction)
            if not self._fixed or after == state._replace(walker=after.walker):
                yield sign, after


puzzle = Alike
