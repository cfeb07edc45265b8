"""`python -m tools.effort_flags`: of how many simulated people of each kind the effort rules open a review.

Plays their sessions without a server or a database. Exits with 1 if too few are found or too many accused.
"""

import argparse
import sys

from playtest.rules.effort.thresholds import RULE_VERSION
from playtest.rules.text import percent
from tools.effort_flags import known, unseen
from tools.effort_flags.evaluation import LEAST_FOUND, MOST_ACCUSED, evaluate, failures, shipped, table


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.effort_flags", description=__doc__)
    parser.add_argument("--people", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=1, help="the same seed prints the same table")
    options = parser.parse_args(arguments)
    rows = evaluate(options.people, options.seed, _report, [*known.KINDS, *unseen.KINDS])
    asked = (
        f"at least {percent(LEAST_FOUND)} of each kind who do not try, and of at most {percent(MOST_ACCUSED)}"
    )
    print(
        f"Rule set {RULE_VERSION}, {options.people} people of each kind, {len(shipped())} environments,"
        f" seed {options.seed}. Asked for: a review of {asked} of each who try."
    )
    for written_by, half in (
        ("Kinds that the author of the rules wrote", rows[: len(known.KINDS)]),
        ("Kinds that somebody wrote who had not read the rules", rows[len(known.KINDS) :]),
    ):
        print(f"\n{written_by}:\n")
        for line in table(half):
            print(line)
    failed = failures(rows)
    for sentence in failed:
        print(sentence, file=sys.stderr)
    return 1 if failed else 0


def _report(done: int) -> None:
    if done % 50 == 0:
        print(f"{done} sessions", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
