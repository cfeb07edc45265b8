"""Prints a shortest win of a level in `games/`, or of all: `python -m tests.games.fewest tz85 4`."""

from __future__ import annotations

import sys

from tests.games.known import known
from tests.games.rules import rules
from tests.games.solver import solve

if __name__ == "__main__":
    environment, chosen = sys.argv[1], [int(number) for number in sys.argv[2:]]
    for number in chosen or range(1, len(rules(environment).LEVELS) + 1):
        steps = solve(known(environment).puzzle(number)) or []
        sys.stdout.write(f"{number}: {len(steps)} {' '.join(steps)}\n")
