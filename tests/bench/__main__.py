"""`python -m tests.bench [section ...]`: run the sections named, or all of them."""

import sys
from collections.abc import Callable

from tests.bench import agents, engine, graphs, insight, one_action, replay, wall

SECTIONS: dict[str, Callable[[], None]] = {
    "one-action": one_action.main,
    "replay": replay.main,
    "insight": insight.main,
    "engine": engine.main,
    "graphs": graphs.main,
    "agents": agents.main,
    "wall": wall.main,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        print(f"unknown section {unknown[0]}; there are: {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    for name in names or SECTIONS:
        print(f"## {name}\n")
        SECTIONS[name]()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
