"""`python -m tests.live.readers plays|reads`: plays and reads the same attempts at once.

One plays: at a line it writes journals in turns and tells what the rule says of them; at the next it tells
what the database says. Others read until a line comes in: bring up to date and rebuild, in parts of a few
entries, so that they meet often.
"""

import json
import sys
import threading
from typing import Any

import django

FIGURES = (
    "level",
    "entered_seq",
    "last_seq",
    "actions",
    "resets",
    "no_ops",
    "repeated_states",
    "active_seconds",
)
TEXTS = ["bcRb.+ bb!R+ c+ bcbcbc", "+++++W", "b.b.b.RR" * 3, "b+ b! R b+" * 3]


def play() -> None:
    from playtest.insight.compute.results import bring_up_to_date
    from playtest.insight.models import LevelResult
    from playtest.play.models import Attempt
    from playtest.rules.results import level_results
    from tests import make
    from tests.insight.journals import append, begin
    from tests.rules.levels import journal

    study = make.study(people=100)
    played = [journal(text, [0.5, 61.25]) for text in TEXTS]
    sys.stdin.readline()
    attempts = [begin(study, entries) for entries in played]
    for seq in range(1, max(map(len, played))):
        for attempt, entries in zip(attempts, played, strict=True):
            append(attempt, entries[seq : seq + 1])
    _say(
        [
            [getattr(result, name) for name in FIGURES]
            for entries in played
            for result in level_results(entries)
        ]
    )
    sys.stdin.readline()
    bring_up_to_date(Attempt.objects.all())
    _say(list(LevelResult.objects.order_by("attempt", "level").values_list(*FIGURES)))


def read() -> None:
    from playtest.insight.compute import journal as reading
    from playtest.insight.compute.results import bring_up_to_date, rebuild
    from playtest.play.models import Attempt

    reading.ENTRIES_AT_ONCE = 40
    over = threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    _say("ready")
    rounds = news = 0
    last = False
    while not last:
        last = over.wait(0.005)
        rounds += 1
        news += bring_up_to_date(Attempt.objects.all())
        if rounds % 5 == 0:
            rebuild(Attempt.objects.all())
    _say(news)


def _say(what: Any) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201


if __name__ == "__main__":
    django.setup()
    {"plays": play, "reads": read}[sys.argv[1]]()
