"""`python -m tests.bench [section ...]`: run the sections named, or all of them."""

import sys
from collections.abc import Callable

from tests.bench import (
    action_cost,
    action_profile,
    agents,
    engine,
    fuzz,
    graphs,
    insight,
    one_action,
    opening,
    pages,
    rebuild,
    reconnect,
    reference_agents,
    replay,
    search,
    sizes,
    sprites,
    static_tasks,
    throughput,
    wall,
)
from tests.bench.load import table as load

SECTIONS: dict[str, Callable[[], None]] = {
    "one-action": one_action.main,
    "action-cost": action_cost.main,
    "throughput": throughput.main,
    "action-profile": action_profile.main,
    "replay": replay.main,
    "insight": insight.main,
    "static-tasks": static_tasks.main,
    "search": search.main,
    "pages": pages.main,
    "engine": engine.main,
    "fuzz": fuzz.main,
    "sprites": sprites.main,
    "graphs": graphs.main,
    "agents": agents.main,
    "reference-agents": reference_agents.main,
    "wall": wall.main,
    "bytes": sizes.main,
    "opening": opening.main,
    "reconnect": reconnect.main,
    "rebuild": rebuild.main,
    "load": load.main,
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
