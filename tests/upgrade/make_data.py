"""Makes the database of an older version; it must run in a worktree of commit c936177.

    git worktree add ../before c936177 && ln -s $PWD/.venv ../before/.venv && cd ../before
    PYTHONPATH=. .venv/bin/python ../playtest/tests/upgrade/make_data.py ../playtest/tests/upgrade/data
    PYTHONPATH=. scripts/with-services .venv/bin/python ../playtest/tests/upgrade/make_data.py \
        ../playtest/tests/upgrade/data

It writes sqlite.sql.xz or, where DATABASE_URL is set, postgresql.sql.xz, and beside it what that version
says about its data (`report.py`). It is left out of type checking, because it uses names of that version.
"""

import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import time_machine

FOLDER = TemporaryDirectory()
TRAVEL = time_machine.travel(datetime(2025, 5, 5, 9, tzinfo=UTC))
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "playtest.settings",
    "SECRET_KEY": "of the version before",
    "DATA_DIR": FOLDER.name,
}

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from playtest.insight.figures.baselines import FIGURES as BASELINE_FIGURES
from playtest.insight.figures.study import FIGURES as STUDY_FIGURES
from playtest.insight.queries.environment_figures import PAGE as PAGE_FIGURES
from playtest.insight.services.pipeline import move
from playtest.insight.services.releases import release
from playtest.insight.compute.results import bring_up_to_date
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play import clock
from playtest.play.journal.heartbeat import beat
from playtest.play.models import Attempt, Heartbeat, Session, SessionEnd
from playtest.play.journal.days import sign_days
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import check_in, create_session, decline_consent
from playtest.play.sessions.studies import change_study, create_study
from playtest.play.journal.days import public_bytes, signing_key
from playtest.review.films import FilmOptions
from playtest.review.models import DecisionKind, ExportKind
from playtest.review.services.collections import begin_with, create_collection
from playtest.review.services.comments import Remark, add_comment, change_comment
from playtest.review.services.decisions import decide, reverse
from playtest.review.services.exports import request_film
from playtest.review.services.faults import acknowledge_fault
from playtest.review.services.withdrawal import withdraw
from playtest.review.tasks.effort import flag_effort, judge_again
from playtest.rules.attempt import Outcome
from playtest.runs.models import RunStatus
from playtest.studio.models import Environment, Recording, RecordingKind, Upload
from playtest.studio.services import load_environments
from playtest.studio.services.pairs import mark_redundant
from playtest.studio.services.recording_changes import remove, retype
from tests import make
from tests.insight.games_folder import record
from tests.insight.stages import qualify, search
from tests.live.games import ENVIRONMENTS, WALK

TO_AND_FRO = [4, 3]
COMMENT = "Looked at the whole replay."
traveller = TRAVEL.start()


def at(day: int, hour: int = 9) -> None:
    """Set the clock to this hour of this day of May 2025."""
    moment = datetime(2025, 5, day, hour, tzinfo=UTC)
    traveller.move_to(moment)
    clock._STARTED, clock._STARTED_MONOTONIC = moment, time.monotonic()


def detour(steps: int, acts: Sequence[make.Act] = WALK) -> list[make.Act]:
    """Return this many steps to and fro at the start, then these actions."""
    return TO_AND_FRO * (steps // 2) + list(acts)


def staff() -> dict[str, Staff]:
    named = {"lead": Role.LEAD, "other": Role.LEAD, "researcher": Role.RESEARCHER, "proctor": Role.PROCTOR}
    named |= {"designer": Role.DESIGNER}
    return {
        name: Staff.objects.create_user(name, password="only for this test", role=role)
        for name, role in named.items()
    }


def import_environments(*, earlier: bool) -> None:
    """Import wk01 in an earlier version, or all environments unchanged."""
    with TemporaryDirectory() as folder:
        for code in ("wk01",) if earlier else ("wk01", "ck01", "cl01", "ft01"):
            copy = Path(shutil.copytree(ENVIRONMENTS / code, Path(folder) / code))
            if code == "wk01":
                record(copy, "win", WALK)
                record(copy, "loss", [1])
                record(copy, "half", WALK[:9])
            if earlier:
                source = copy / f"{code}.py"
                source.write_text(f"{source.read_text()}\n# earlier\n")
        results = load_environments(Path(folder))
    assert all(one.status != "rejected" for one in results), results


def environment(code: str) -> Environment:
    return Environment.objects.get(code=code)


def first_study() -> None:
    """Two people on the earlier version of wk01."""
    at(5)
    import_environments(earlier=True)
    study = create_study(None, name="First look", pool=[environment("wk01")], target_people=2)
    make.play(make.session(study), detour(20))
    make.play(make.session(study), detour(16, WALK[:8]))
    finish(study)
    change_study(study, pool=[environment("wk01")], open=False, reason="Its version has been replaced.")


def spring(people: dict[str, Staff]) -> None:
    """The main study: eleven people complete wk01, and one attempt of every other type."""
    at(6)
    import_environments(earlier=False)
    walk, lamps, faulty = environment("wk01"), environment("ck01"), environment("ft01")
    study = create_study(
        people["lead"], name="Spring", pool=[walk], target_people=40, fee=Decimal(40), bonus=Decimal(5)
    )
    solvers = [make.session(study, new_participant(f"panel-{number}")) for number in range(11)]
    for number, session in enumerate(solvers):
        make.play(session, detour(14 + 2 * number), Outcome.COMPLETED)
    at(6, 10)
    change_study(study, pool=[walk, lamps], staff=people["lead"], reason="ck01 joins the pool.")
    for session in solvers[:3]:
        make.play(session, [(4, 22), 7, (4, 22), (30, 30)] * 9)
    at(6, 13)
    change_study(
        study, pool=[walk], staff=people["researcher"], reason="The first people need more time.",
        hard_seconds=35 * 60, target_people=30, effort={"fast_milliseconds": 90.0},
    )  # fmt: skip
    make.play(make.session(study), detour(34), Outcome.GAVE_UP)
    make.play(make.session(study), detour(36), Outcome.CONCLUDED)
    make.play(make.session(study), detour(40)[:50], Outcome.TIMED_OUT, seconds_an_action=30)
    make.play(make.session(study), detour(12), Outcome.SESSION_OVER)
    make.play(make.session(study), [1, 0, 1, 0, *detour(30)], Outcome.COMPLETED)
    hasty, other_hasty = make.session(study), make.session(study)
    make.play(hasty, [2] * 40, seconds_an_action=0.05)
    make.play(other_hasty, [2] * 45, seconds_an_action=0.05)
    leaving = make.session(study)
    make.play(leaving, detour(18), Outcome.COMPLETED)
    flag_effort()
    finish(study)
    faults(faulty, people["lead"])
    at(6, 15)
    review(people, solvers, hasty, other_hasty)
    at(7)
    withdraw(leaving.participant, people["lead"])
    release(walk.current, people["lead"], "The first release.")
    open_sessions(study)


def faults(faulty: Environment, lead: Staff) -> None:
    """Two environment faults, one of them marked as seen."""
    study = create_study(None, name="Faults", pool=[faulty], target_people=5)
    fault = {"fault_code": "environment_raised", "fault_message": "The environment failed at an action."}
    seen, _ = (make.play(make.session(study), [5, 5], Outcome.FAULT, **fault) for _ in range(2))
    acknowledge_fault(seen.pk, lead)


def finish(study) -> None:
    """End the sessions that are in a pause."""
    for session in Session.objects.filter(study=study, ended_at=None).exclude(attempts__ended_at=None):
        end_session(session, SessionEnd.ENDED_BY_STAFF)


def open_sessions(study) -> None:
    """Sessions that play, are at the consent, are not checked in, and declined."""
    make.play(make.session(study), detour(10), None)
    _, code = create_session(study, new_participant(), None)
    check_in(code, station=7)
    create_session(study, new_participant("late"), None)
    _, code = create_session(study, new_participant(), None)
    declines, _ = check_in(code, station=8)
    decline_consent(declines)


def review(people: dict[str, Staff], solvers: list[Session], hasty: Session, other_hasty: Session) -> None:
    """Verdicts of every kind: confirmed, waiting, fallen, reversed."""
    lead, other, researcher = people["lead"], people["other"], people["researcher"]
    whole, rest, one = DecisionKind.EXCLUDE_SESSION, DecisionKind.EXCLUDE_FROM, DecisionKind.EXCLUDE_ATTEMPT
    decide(hasty, lead, whole, "did_not_try", COMMENT)
    decide(other_hasty, researcher, DecisionKind.KEEP, "tried", COMMENT)
    first, second, third, fourth = solvers[3:7]
    part = {"attempt_id": first.attempts.get().pk, "from_seq": 30}
    decide(first, lead, rest, "disturbed", COMMENT, **part)
    decide(first, other, rest, "disturbed", COMMENT, **part)
    decide(second, lead, one, "told_the_answer", COMMENT, attempt_id=second.attempts.get().pk)
    decide(third, lead, whole, "random_input", COMMENT)
    decide(third, other, DecisionKind.KEEP, "tried", COMMENT)
    asked = decide(fourth, researcher, whole, "idle", COMMENT)
    decide(fourth, lead, whole, "idle", COMMENT)
    reverse(asked.pk, other, "mistake", COMMENT)


def remarks(people: dict[str, Staff]) -> None:
    """Comments, a collection and a film."""
    attempt = Attempt.objects.filter(session__study__name="Spring", outcome=Outcome.COMPLETED).first()
    assert attempt is not None
    comment = add_comment(attempt, people["lead"], 5, 10.0, Remark.of("Sees the pit.", ["insight"]))
    change_comment(comment.pk, people["lead"], Remark.of("Sees the pit, and avoids it.", ["insight", "pit"]))
    create_collection(people["researcher"], "Empty")
    begin_with(people["researcher"], "Insights", attempt, 5, "Here")
    request_film(attempt, ExportKind.GIF, FilmOptions(scale=1, first=0, last=3), people["lead"])


def rehearsal() -> None:
    """Two simulated people and a member of staff."""
    at(8)
    study = create_study(None, name="Rehearsal", pool=[environment("wk01")], rehearsal=True, target_people=5)
    for number in range(2):
        person = new_participant(simulated=True)
        make.play(make.session(study, person), detour(20 + 4 * number), Outcome.COMPLETED)
    make.play(make.session(study), detour(4, WALK[:4]))
    finish(study)


def studio(people: dict[str, Staff]) -> None:
    """Move wk01 to Done, with evidence by programs and evidence written here."""
    at(9)
    with suppress(SystemExit):  # it does not pass with so few steps
        call_command("qualify", "wk01", steps=300, seed=3, workers=1, stdout=StringIO())
    call_command("random_play", "wk01", level=1, tries=1000, seed=5, workers=1, stdout=StringIO())
    call_command("explore", "wk01", level=1, stdout=StringIO())
    walk = environment("wk01")
    walk.note, walk.owner, walk.title = "Walk to the goal.", people["designer"], "Walk"
    walk.save()
    move(walk, "internal", people["designer"], "")
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    move(walk, "external", people["lead"], "")
    move(walk, "internal", people["lead"], "Level 3 needs work.")
    move(walk, "external", people["lead"], "")
    mark_redundant(environment("ck01"), environment("cl01"), "Both are clicks on dots.", people["designer"])
    recordings = Recording.objects.filter(version=walk.current)
    remove(recordings.get(name="half"), "It shows nothing.", people["designer"])
    retype(
        recordings.get(name="loss"), RecordingKind.UNFINISHED, "It was not meant to lose.", people["designer"]
    )
    Upload.objects.create(
        names=["candidates.zip"], results=[{"id": "wk01", "status": "unchanged", "reason": ""}], done=1,
        total=1, status=RunStatus.DONE, requested_by=people["designer"], requested_at=clock.now(),
        finished_at=clock.now(),
    )  # fmt: skip


def addresses() -> list[str]:
    """Return every address with numbers or rows, and every page of staff."""
    of_environment = [*PAGE_FIGURES, "dwell-1"]
    walk = "/staff/environments/wk01"
    found = ["/staff/environments.csv", f"{walk}/releases/1/inputs.csv"]
    for query in ("", "?excluded=with"):
        found += [f"{walk}/baseline/figures/{name}.json{query}" for name in BASELINE_FIGURES]
        found += [f"/staff/studies/2/figures/{name}.json{query}" for name in STUDY_FIGURES]
        found += [f"{walk}/figures/{name}.json{query}" for name in of_environment]
    of_versions = ("funnel-earlier", "funnel-later")
    found += [f"{walk}/versions/figures/{name}.json" for name in of_versions]
    pages = [
        "environments/", "environments/wk01/", "environments/wk01/levels/2/", "environments/wk01/versions/",
        "environments/wk01/baseline/", "environments/wk01/releases/1/", "environments/wk01/studio/",
        "environments/wk01/qualifications/1/", "environments/wk01/graphs/1/", "board/", "redundancy/",
        "sets/", "studies/", "studies/2/", "studies/2/edit/", "sessions/", "sessions/3/", "attempts/",
        "attempts/3/", "review/", "review/3/", "review/decisions/", "collections/", "collections/1/",
        "exports/", "data/", "data/days/", "withdrawal/", "recordings/1/",
    ]  # fmt: skip
    return found + [f"/staff/{page}" for page in pages]


def dump() -> str:
    """The database as SQL that makes it again in an empty one."""
    if not settings.DATABASE_URL:
        with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as connection:
            return "\n".join(connection.iterdump())
    command = ["pg_dump", "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=50"]
    dumped = subprocess.run(
        [*command, settings.DATABASE_URL], capture_output=True, text=True, check=True
    ).stdout
    return "\n".join(line for line in dumped.splitlines() if not line.startswith("\\"))


def report() -> str:
    program = Path(__file__).with_name("report.py")
    asked = json.dumps(addresses())
    return subprocess.run(
        [sys.executable, program], input=asked, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def main(folder: Path) -> None:
    call_command("migrate", verbosity=0)
    people = staff()
    first_study()
    spring(people)
    remarks(people)
    rehearsal()
    studio(people)
    at(10)
    bring_up_to_date(Attempt.objects.all())
    judge_again()
    sign_days(clock.now())
    beat()
    Heartbeat.objects.update(boot="another machine")  # whose clock says nothing about this one's
    name = "postgresql" if settings.DATABASE_URL else "sqlite"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.sql.xz").write_bytes(lzma.compress(dump().encode(), preset=9))
    before = {"key": public_bytes(signing_key().public_key()).hex(), **json.loads(report())}
    (folder / f"{name}.json.xz").write_bytes(lzma.compress(json.dumps(before).encode(), preset=9))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
