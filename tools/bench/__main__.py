"""`python -m tools.bench [section ...]`: run the sections named, or all of them."""

import sys
from collections.abc import Callable

from tools.bench import engine, insight, one_action, pages, replay
from tools.bench.load import table as load

SECTIONS: dict[str, Callable[[], None]] = {
    "one-action": one_action.main,
    "replay": replay.main,
    "insight": insight.main,
    "pages": pages.main,
    "engine": engine.main,
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
