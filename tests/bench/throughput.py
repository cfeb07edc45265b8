"""Measures how many actions a second one serving process answers, beside a bare echo server.

People want to act 40 times a second each, more often than they can be answered: each acts again as soon as
the action before is answered. One person may send 50 messages a second, so there are 128 of them. They
share the machine with the server.
"""

import os
import tempfile
from pathlib import Path

from tests.bench.load.installation import installation
from tests.bench.load.rounds import Pace, Round, echo, play, unrecorded

PEOPLE = 128
SECONDS = float(os.environ.get("SECONDS", "15"))
PACE = Pace(1 / 40, closed=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "server", 1) as made:
        seats = made.seat(PEOPLE)
        bare, bare_cost = echo(PEOPLE, SECONDS, PACE)
        found, cost = play(made, seats, SECONDS, PACE)
        lost = found.lost + unrecorded(made, seats, found)
    print("| | answers/s | web, ms each | hosts, ms each | lost |\n| --- | --- | --- | --- | --- |")
    print(f"| bare echo | {_rate(bare):,.0f} | {bare_cost:.2f} | | {bare.lost} |")
    web, hosts = cost.milliseconds["web"], cost.milliseconds["hosts"]
    print(f"| actions | {_rate(found):,.0f} | {web:.2f} | {hosts:.2f} | {lost} |")


def _rate(found: Round) -> float:
    return len(found.milliseconds) / found.seconds
