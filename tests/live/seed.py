"""`python -m tests.live.seed`: fills the databases of test servers, with JSON lines.

Input: the database's name under "database", as Django knows it, and beside it {"played": true} for the test
environments alone, {"staff": role, "password": "..."} for a member of staff, {"stages": {id: stage}} for
environments that shall be in a stage without having come through the gates, {"sets": {id: release set},
"games": folder, which may be missing} for environments of agents, {"tasks": folder} for static tasks,
{"key": [sets], "per_minute": n} for an agent's key, {"revoke": the key's pk}, {"card": id, "used": minutes
ago, "opened": hours ago} to set a scorecard's clock back, {"answer_call": session} to answer a participant's
call, {"adjust": session, "amount": text} for an adjustment of a session's pay,
{"control": name of a function of play.sessions.clocks, "session": id, ...its arguments} to change a session's
clocks, {"room": name, "first": number, "count": n} for stations that a browser is registered as,
{"command": [name, ...arguments]} for what a command says that is about the database alone,
{"leave": true} to close its connection, so that the database can be copied, or a study and its people:
{"games": folder, "pool": [ids], "later": [ids], "people": n, "stage": "new" | "consent" | "survey" |
"tutorial" | "pause" | "playing" | "ended" | "unposted", "study": {fields}, "at": [numbers],
"have_places": true for more people than the study has places}, all of which may be missing; people are "at"
station 1 unless others are named; what comes "later" joins the pool when all have sat down.
Output: {"study": id, "people": [{"session": id, "participant": id, "code": "...", "seat": "..."}]}, or
{"failed": traceback}.
"""

import json
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import timedelta
from decimal import Decimal
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exc
from typing import Any

import django
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.db import connections

from tests.live.games import ENVIRONMENTS, PLAYED


def load(folder: Path) -> list[str]:
    """Imports the environments of a folder and returns them."""
    from playtest.studio.services import load_environments

    return [found.environment_id for found in load_environments(folder) if found.status != "rejected"]


def load_static_tasks(folder: Path) -> dict[str, Any]:
    from playtest.studio.services.tasks import load_tasks

    return {"tasks": [found.environment_id for found in load_tasks(folder, confirmed=())]}


def load_played() -> list[str]:
    """Imports the environments in PLAYED unless they are already imported."""
    from playtest.studio.models import Environment

    if Environment.objects.filter(code__in=PLAYED).count() < len(PLAYED):
        with TemporaryDirectory() as folder:
            for code in PLAYED:
                shutil.copytree(ENVIRONMENTS / code, Path(folder) / code)
            load(Path(folder))
    return list(PLAYED)


def seed(wanted: dict[str, Any]) -> dict[str, Any]:
    from playtest.play.models import Study
    from playtest.rules.document import value_of
    from playtest.rules.survey import Question
    from playtest.studio.models import Environment
    from tests import make

    pool = wanted.get("pool", [])
    if "games" in wanted:
        loaded = load(Path(wanted["games"]))
    elif pool and Environment.objects.filter(code__in=pool).count() == len(pool):
        loaded = pool
    else:
        loaded = load_played()
    pool = pool or loaded
    settings = {"name": f"Study {Study.objects.count() + 1}", **wanted.get("study", {})}
    if "survey" in settings:
        settings["survey"] = value_of(tuple[Question, ...], settings["survey"])
    study = make.study(pool=list(Environment.objects.filter(code__in=pool)), **settings)
    stations = wanted.get("at") or [1] * wanted.get("people", 1)
    stage, has_place = wanted.get("stage", "pause"), wanted.get("have_places", False)
    people = [_person(study, stage, station, has_place=has_place) for station in stations]
    study.pool.add(*Environment.objects.filter(code__in=wanted.get("later", [])))
    return {"study": study.pk, "people": people}


def make_staff(wanted: dict[str, Any]) -> dict[str, Any]:
    from playtest.people.models import Staff

    role = wanted["staff"]
    # Tests share an installation, and another one may have asked for this account before.
    known = Staff.objects.filter(username=role).first()
    if known is None:
        return {"id": Staff.objects.create_user(role, password=wanted["password"], role=role).pk}
    if not known.check_password(wanted["password"]):
        known.set_password(wanted["password"])
        known.save(update_fields=["password"])
    return {"id": known.pk}


def make_stations(wanted: dict[str, Any]) -> dict[str, Any]:
    from playtest.center.stations.services import create_stations, new_registration_code, register

    made = create_stations(wanted["room"], wanted["first"], wanted["count"], None)
    for station in made:
        register(new_registration_code(station))
    return {"stations": [station.number for station in made]}


def put(stages: dict[str, str]) -> dict[str, Any]:
    from playtest.studio.models import Environment

    for code, stage in stages.items():
        Environment.objects.filter(code=code).update(stage=stage)
    return {"stages": stages}


def put_into_sets(sets: dict[str, str], games: str | None) -> dict[str, Any]:
    """Imports the environments of a folder, if one is given, and puts environments into release sets."""
    from playtest.studio.models import Environment

    if games is not None:
        load(Path(games))
    for code, release_set in sets.items():
        Environment.objects.filter(code=code).update(release_set=release_set)
    return {"sets": sets}


def of_agents(wanted: dict[str, Any]) -> dict[str, Any]:
    if "revoke" in wanted:
        return revoke(wanted["revoke"])
    if "card" in wanted:
        return set_card_back(wanted["card"], wanted["used"], wanted["opened"])
    return make_key(wanted["key"], wanted["per_minute"])


def make_key(sets: list[str], per_minute: int) -> dict[str, Any]:
    from playtest.arena.runs.keys import create_key

    key, secret = create_key("An agent", sets, per_minute)
    return {"key": secret, "pk": key.pk}


def revoke(key: int) -> dict[str, Any]:
    from playtest.arena.models import ApiKey
    from playtest.arena.runs.keys import revoke_key

    return {"revoked": revoke_key(ApiKey.objects.get(pk=key), None).pk}


def set_card_back(card: str, used: float, opened: float) -> dict[str, Any]:
    from playtest.arena.models import Scorecard
    from playtest.play.clock import now

    times = {"used_at": now() - timedelta(minutes=used), "opened_at": now() - timedelta(hours=opened)}
    return {"changed": Scorecard.objects.filter(card_id=card).update(**times)}


def answer_call(session: int) -> dict[str, Any]:
    from playtest.people.roles import Role
    from playtest.play.models import Session
    from playtest.play.sessions import events
    from tests.staff import staff

    return {"answered": events.answer_call(Session.objects.get(pk=session), staff(Role.PROCTOR))}


def adjust(session: int, amount: str) -> dict[str, Any]:
    from playtest.center.models import AdjustmentReason
    from playtest.center.pay.services import enter_adjustment
    from playtest.people.roles import Role
    from playtest.play.models import Session
    from tests.staff import staff

    found, reason = Session.objects.get(pk=session), AdjustmentReason.WAITED
    entered = enter_adjustment(found, Decimal(amount), reason, "Waited for a station.", staff(Role.PROCTOR))
    return {"adjustment": entered.pk, "account": entered.account_id}


def do_to_clocks(control: str, session: int, **arguments: Any) -> dict[str, Any]:
    """An open page is not notified without Redis: this is another process than the server's."""
    from playtest.people.models import Staff
    from playtest.people.roles import Role
    from playtest.play.models import Session
    from playtest.play.sessions import clocks

    on_duty, _ = Staff.objects.get_or_create(username="on duty", role=Role.PROCTOR)
    found, make = Session.objects.get(pk=session), getattr(clocks, control)
    if control == clocks.end_attempt_by_staff.__name__:
        make(found, on_duty)
    else:
        clocks.change(found, on_duty, make(**arguments))
    return {control: session}


def _person(study: Any, stage: str, station: int, *, has_place: bool) -> dict[str, Any]:
    from playtest.people.services import new_participant
    from playtest.play.clock import now
    from playtest.play.models import Session, SessionEnd
    from playtest.play.sessions import services
    from playtest.play.sessions.attempts import open_next
    from playtest.play.sessions.ends import end_session

    participant = new_participant()
    session, code = services.create_session(study, participant, None, has_place=has_place)
    found = {"session": session.pk, "participant": participant.pk, "code": code, "seat": ""}
    if stage == "new":
        return found
    session, token = services.check_in(code, station=station)
    found["seat"] = f"{session.pk}.{token}"
    for before, step in (
        ("consent", services.give_consent),
        ("survey", partial(services.answer_survey, answers={})),
        ("tutorial", services.finish_tutorial),
    ):
        if stage == before:
            return found
        step(session)
    if stage == "playing":
        open_next(session)
    elif stage == "ended":
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    elif stage == "unposted":  # as versions without a ledger ended it
        Session.objects.filter(pk=session.pk).update(ended_at=now(), end_reason=SessionEnd.ENDED_BY_STAFF)
    return found


def connect(name: str) -> None:
    """Connect to another database of the same type."""
    from django.db import connection

    if connection.settings_dict["NAME"] != name:
        leave()
        connection.settings_dict["NAME"] = name


def leave() -> dict[str, Any]:
    from django.db import connection

    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
    return {}


def registered_stations(numbers: list[int]) -> dict[str, Any]:
    from tests import seats

    return {"stations": {number: seats.registered(number)[1] for number in numbers}}


def carry_out(command: list[str]) -> dict[str, Any]:
    with redirect_stdout(StringIO()) as said:
        call_command(*command)
    return {"said": said.getvalue()}


ANSWERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "played": lambda wanted: {"played": load_played()},
    "stations": lambda wanted: registered_stations(wanted["stations"]),
    "room": make_stations,
    "tasks": lambda wanted: load_static_tasks(Path(wanted["tasks"])),
    "stages": lambda wanted: put(wanted["stages"]),
    "answer_call": lambda wanted: answer_call(wanted["answer_call"]),
    "adjust": lambda wanted: adjust(wanted["adjust"], wanted["amount"]),
    "sets": lambda wanted: put_into_sets(wanted["sets"], wanted.get("games")),
    **dict.fromkeys(("key", "revoke", "card"), of_agents),
    "command": lambda wanted: carry_out(wanted["command"]),
    "control": lambda wanted: do_to_clocks(**wanted),
    "staff": make_staff,
    "leave": lambda wanted: leave(),
}
"""By what is asked for; anything else is a study and its people."""


def answer(wanted: dict[str, Any]) -> dict[str, Any]:
    connect(wanted.pop("database"))
    return next((handle for name, handle in ANSWERS.items() if name in wanted), seed)(wanted)


def answer_or_failure(wanted: dict[str, Any]) -> dict[str, Any]:
    """A request that fails must not end the process, which serves the other tests as well."""
    try:
        return answer(wanted)
    except Exception:
        connections.close_all()  # the database may be another one by now, or have been restarted
        return {"failed": format_exc()}


if __name__ == "__main__":
    django.setup()
    # Cheap as in the process of the tests; a server makes the product's of it when somebody signs in.
    Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.time_cost = 64, 1
    for line in sys.stdin:
        print(json.dumps(answer_or_failure(json.loads(line))), flush=True)  # noqa: T201
