"""`python -m tests.live.seed`: fill a test server's database; a line of JSON in, a line out, until the end.

Input: {"staff": role, "password": "..."} for a member of staff, or a study and its people:
{"games": folder, "pool": [ids] | null, "people": n, "stage": "new" | "pause" | "playing", "study": {fields}}.
Output: {"study": id, "people": [{"session": id, "participant": id, "code": "...", "seat": "..."}]}.
"""

import json
import sys
from pathlib import Path
from typing import Any

import django


def seed(wanted: dict[str, Any]) -> dict[str, Any]:
    from playtest.play.clock import now
    from playtest.play.models import Study
    from playtest.studio.models import Environment
    from playtest.studio.services import load_environments

    load_environments(Path(wanted["games"]))
    pool = Environment.objects.filter(current__isnull=False)
    if wanted.get("pool"):
        pool = pool.filter(code__in=wanted["pool"])
    settings = {"name": f"Study {Study.objects.count() + 1}", **wanted.get("study", {})}
    study = Study.objects.create(created_at=now(), **settings)
    study.pool.set(pool)
    people = [_person(study, wanted.get("stage", "pause")) for _ in range(wanted.get("people", 1))]
    return {"study": study.pk, "people": people}


def make_staff(wanted: dict[str, Any]) -> dict[str, Any]:
    from playtest.people.models import Staff

    role = wanted["staff"]
    return {"id": Staff.objects.create_user(role, password=wanted["password"], role=role).pk}


def _person(study: Any, stage: str) -> dict[str, Any]:
    from playtest.people.services import new_participant
    from playtest.play.services import sessions
    from playtest.play.services.attempts import open_next

    participant = new_participant()
    session, code = sessions.create_session(study, participant, None)
    found = {"session": session.pk, "participant": participant.pk, "code": code, "seat": ""}
    if stage == "new":
        return found
    session, token = sessions.check_in(code, station=1)
    sessions.give_consent(session)
    sessions.answer_survey(session, {})
    sessions.finish_tutorial(session)
    if stage == "playing":
        open_next(session)
    return {**found, "seat": f"{session.pk}.{token}"}


if __name__ == "__main__":
    django.setup()
    for line in sys.stdin:
        wanted = json.loads(line)
        made = make_staff(wanted) if "staff" in wanted else seed(wanted)
        print(json.dumps(made), flush=True)  # noqa: T201
