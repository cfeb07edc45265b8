"""`make faults`: breaks everything that can break while people play; exit status 1 if anything was lost."""

import argparse
import multiprocessing
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.faults.kinds import Place
from tools.faults.places import chosen, run_place
from tools.faults.run import table

PEOPLE = 12
PLACES: tuple[Place, ...] = ("embedded", "services")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make faults ARGS=...", description=__doc__)
    parser.add_argument("only", nargs="*", help="words: only kinds whose name has one of them")
    parser.add_argument("--seed", type=int, default=1, help="other moments, and other processes")
    parser.add_argument("--share", type=float, default=1.0, help="of how often each is tried, such as 0.1")
    parser.add_argument("--people", type=int, default=PEOPLE)
    options = parser.parse_args()
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    kinds = chosen(options)
    # Each place in a process of its own, because each has its own settings in the environment, and ports.
    pool = ProcessPoolExecutor(len(PLACES), multiprocessing.get_context("spawn"))
    with tempfile.TemporaryDirectory(prefix="playtest-faults-") as name, pool:
        folder = Path(name)
        folder.chmod(0o755)
        places = [place for place in PLACES if any(kind.place == place for kind in kinds)]
        running = [pool.submit(run_place, folder, place, options) for place in places]
        results = [result for one in running for result in one.result()]
    print(table(results))
    print(f"{sum(one.tried for one in results)} faults, {sum(one.lost for one in results)} turns lost")
    return 0 if all(one.ok for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
