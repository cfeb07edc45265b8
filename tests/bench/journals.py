"""`python -m tests.bench.journals FOLDER PEOPLE ACTIONS`: people in the middle of long attempts.

Everybody who plays the same environment of the folder has the same seed and the same journal: what a rebuild
costs does not depend on whose it is. Prints the seats of these people as JSON, environment by environment.
"""

import json
import sys
from pathlib import Path
from typing import Any

import django
from django.db import connection, transaction

from engine import source as sources
from engine.actions import CLICK, Action
from engine.errors import ActionError, SourceError
from engine.game import Game
from engine.policy import RandomPolicy
from engine.recording import read
from engine.turns import WIN

SEED = 5


def make(folder: Path, people: int, actions: int) -> list[str]:
    """The seats of so many people, spread evenly over the environments of a folder."""
    from playtest.play.clock import now
    from playtest.play.journal.triggers import remove_triggers, set_triggers
    from playtest.play.models import Attempt
    from tests import sittings
    from tests.bench.seating import seat_by_environment

    seats: list[str] = []
    for code, seated in seat_by_environment(folder, people):
        with transaction.atomic():
            attempts = Attempt.objects.filter(session__in=[session for session, _ in seated])
            remove_triggers(connection)
            attempts.update(seed=SEED, first_frame_at=now())
            set_triggers(connection)
            first, *others = attempts
            sittings.record(first, _recordable(folder, code, actions), None, now(), 0.1)
            _copy(first, others)
        seats += [seat for _, seat in seated]
    return seats


def _copy(first: Any, others: list[Any]) -> None:
    """The same journal for others; nobody verifies its chain, which names the first."""
    from playtest.play.models import Entry

    entries = list(Entry.objects.filter(attempt=first).order_by("seq"))
    for other in others:
        for entry in entries:
            entry.pk, entry.attempt_id = None, other.pk
        Entry.objects.bulk_create(entries)


def acts(source: sources.Source, count: int) -> list[Action]:
    """So many actions: those of the recorded win until the last level, then random ones; they never win."""
    game, _ = Game.start(source, SEED)
    recorded = list(Path(source.path).parent.glob("**/*win.jsonl"))
    known = [turn.action for turn in read(recorded[0].read_text().splitlines()).turns[1:]]
    upcoming, policy = iter(known), RandomPolicy(SEED)
    made: list[Action] = []
    while len(made) < count:
        action: Action = next(upcoming, None) or policy.choose(game)
        try:
            turn = game.act(action)
        except ActionError:
            continue
        if turn.state == WIN:
            raise RuntimeError(f"{source.environment_id} was won by chance: choose another seed")
        if turn.level == turn.levels:
            upcoming = iter(())
        made.append(action)
    return made


def _recordable(folder: Path, code: str, count: int) -> list[int | tuple[int, int]]:
    """The same of an environment of a folder, as `sittings.record` takes them."""
    [source] = [
        one for one in sources.find(folder) if not isinstance(one, SourceError) and one.environment_id == code
    ]
    return [(one.x or 0, one.y or 0) if one.id == CLICK else one.id for one in acts(source, count)]


def main() -> None:
    django.setup()
    print(json.dumps(make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))


if __name__ == "__main__":
    main()
