"""`python -m tools.bench.seating FOLDER PEOPLE`: people who play, spread evenly over a folder's environments.

The first on each environment comes in through the services; the others are copies of that person's rows,
because a thousand who check in one after the other take minutes. Prints [session, seat] of each as JSON.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django
from django.db import transaction


def seat(folder: Path, people: int) -> list[tuple[int, str]]:
    """The session and the seat of so many people, environment by environment."""
    from playtest.play.models import Study
    from playtest.studio.models import Environment
    from playtest.studio.services import load_environments
    from tests import make

    codes = [found.environment_id for found in load_environments(folder) if found.status != "rejected"]
    found: list[tuple[int, str]] = []
    for number, code in enumerate(codes[:people]):
        pool, name = [Environment.objects.get(code=code)], f"{code} {Study.objects.count()}"
        study = make.study(pool=pool, name=name, people=people)
        with transaction.atomic():
            found += _seat(study, len(range(number, people, len(codes))))
    return found


def _seat(study: Any, people: int) -> list[tuple[int, str]]:
    from playtest.people.services import new_participants
    from playtest.play.models import Session
    from playtest.play.sessions.seats import hashed, new_token
    from tests.live.seed import _person

    first = _person(study, "playing", 1, has_place=False)
    session = Session.objects.get(pk=first["session"])
    others = new_participants([""] * (people - 1))
    belongs = [{"participant": one} for one in others]
    consents, surveys = (_copied(one, belongs) for one in (session.consent, session.survey))
    tokens = [new_token() for _ in others]
    changes = [
        {"participant": other, "consent": consent, "survey": survey, "code_hash": hashed(new_token())}
        | {"seat_hash": hashed(token)}
        for other, consent, survey, token in zip(others, consents, surveys, tokens, strict=True)
    ]
    sessions = _copied(session, changes)
    for attempt in session.attempts.all():
        _copied(attempt, [{"session": one, "participant": one.participant} for one in sessions])
    for event in session.events.filter(attempt=None):
        _copied(event, [{"session": one} for one in sessions])
    seats = [(one.pk, f"{one.pk}.{token}") for one, token in zip(sessions, tokens, strict=True)]
    return [(session.pk, first["seat"]), *seats]


def _copied(row: Any, changes: Sequence[dict[str, Any]]) -> list[Any]:
    """Stored copies of a row, each with its changes."""
    columns = [one for one in row._meta.concrete_fields if not one.primary_key]
    same = {one.name: getattr(row, one.name) for one in columns}
    made: list[Any] = type(row).objects.bulk_create(type(row)(**same | change) for change in changes)
    return made


def main() -> None:
    django.setup()
    print(json.dumps(seat(Path(sys.argv[1]), int(sys.argv[2]))))


if __name__ == "__main__":
    main()
