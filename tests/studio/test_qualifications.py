"""A qualification from the request to the report: by workers, and by `manage.py qualify`."""

from __future__ import annotations

import json
import os
import signal
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from engine.prove.qualification.plan import FUZZ, STRUCTURE
from playtest.jobs import lifecycle, shutdown
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.studio.models import Qualification, QualificationPart, Recording, RecordingKind, Version
from playtest.studio.services import qualifications
from playtest.studio.services.qualifications import STALLED, requeue_stalled
from tests.staff import signed_in
from tests.studio.versions import version_of, walk

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Queue:
    """What workers have been told to do."""

    def __init__(self) -> None:
        self.waiting: list[int] = []

    def __call__(self, part_id: int) -> None:
        self.waiting.append(part_id)

    def work(self, most: int = 100) -> None:
        while self.waiting and most:
            qualifications.do_part(self.waiting.pop(0), self)
            most -= 1


def is_heartbeat(sql: str) -> bool:
    """Whether a statement is a worker's sign of life about the part that it does."""
    return sql.startswith('UPDATE "studio_qualificationpart" SET "heartbeat_at"')


@pytest.fixture
def queue() -> Queue:
    return Queue()


def requested(version: Version, queue: Queue, steps: int = 40) -> Qualification:
    """Asked for, and its first part told to the workers, as after a commit."""
    qualification = qualifications.request_qualification(version, queue, seed=4, steps=steps)
    if not queue.waiting:
        queue(qualification.parts.get(regime=STRUCTURE).pk)
    return qualification


def test_workers_run_the_parts_and_the_last_one_makes_the_report(queue: Queue) -> None:
    qualification = requested(version_of("ez01"), queue, steps=60)
    assert qualification.status == JobStatus.WAITING
    queue.work()
    qualification.refresh_from_db()
    assert (qualification.status, qualification.passed, qualification.full) == (JobStatus.DONE, False, False)
    assert qualification.done == qualification.total == 240
    assert {part.status for part in qualification.parts.all()} == {JobStatus.DONE}
    missing, failed = [entry for entry in qualification.report["checks"] if not entry["passed"]]
    assert (missing["code"], missing["recording"]) == ("no_recordings", None)
    assert (failed["code"], failed["level"]) == ("level_won_by_chance", 2)
    recording = Recording.objects.get(pk=failed["recording"])
    assert (recording.kind, recording.level, len(recording.actions)) == (RecordingKind.FINDING, 2, 4)
    assert len(recording.state_hashes) == 5
    replay = (
        signed_in(Role.ENGINEER).get(reverse("review:stored-recording", args=[recording.pk])).content.decode()
    )
    assert failed["message"] in replay
    assert reverse("studio:qualification", args=["ez01", qualification.pk]) in replay


def test_the_replay_of_nondeterminism_shows_and_names_the_current_result() -> None:
    shows = Recording.objects.create(
        version=version_of("wk01"), kind=RecordingKind.FINDING, name="it", made_at=NOW,
        actions=[[4, None, None]], state_hashes=["00" * 8] * 2,
    )  # fmt: skip
    played = signed_in(Role.ENGINEER).get(reverse("review:stored-recording-journal", args=[shows.pk])).json()
    assert len(played["entries"]) == 2
    assert "differs from the recording from its start on" in played["otherwise"]


def test_a_source_that_does_not_load_is_not_played(queue: Queue) -> None:
    qualification = requested(version_of("im01"), queue)
    queue.work()
    qualification.refresh_from_db()
    assert (qualification.status, qualification.passed) == (JobStatus.DONE, False)
    assert [entry["code"] for entry in qualification.report["checks"]] == ["import_failed"]
    others = qualification.parts.exclude(regime=STRUCTURE)
    assert {part.status for part in others} == {JobStatus.CANCELLED}


def test_a_cancelled_qualification_is_not_continued(queue: Queue) -> None:
    qualification = requested(version_of("qt01"), queue)
    queue.work(1)
    assert qualifications.cancel(qualification.pk)
    queue.work()
    qualification.refresh_from_db()
    assert (qualification.status, qualification.passed) == (JobStatus.CANCELLED, None)
    assert qualification.parts.filter(status=JobStatus.CANCELLED).count() == 5
    codes = [entry["code"] for entry in qualification.report["checks"]]
    assert codes == ["load", "metadata", "levels"]
    assert not qualifications.cancel(qualification.pk)
    assert not qualifications.finish(qualification.pk)


def test_a_worker_that_must_end_requeues_its_part(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "_SECONDS_BETWEEN_REPORTS", 0.01)
    qualification = requested(version_of("qt01"), queue, steps=50_000)
    queue.work(1)
    fuzz = qualification.parts.get(regime=FUZZ)

    def end_with_the_first_progress(execute: Any, sql: str, *rest: Any) -> Any:
        if is_heartbeat(sql):
            shutdown.requested.set()
        return execute(sql, *rest)

    queue.waiting.clear()
    try:
        with connection.execute_wrapper(end_with_the_first_progress):
            qualifications.do_part(fuzz.pk, queue)
    finally:
        shutdown.requested.clear()
    fuzz.refresh_from_db()
    assert (fuzz.status, fuzz.done, queue.waiting) == (JobStatus.WAITING, 0, [fuzz.pk])


def test_a_part_of_a_killed_worker_is_requeued(queue: Queue) -> None:
    qualification = requested(version_of("qt01"), queue)
    queue.work(1)
    *others, last = queue.waiting
    queue.waiting.clear()
    QualificationPart.objects.filter(pk__in=others).update(status=JobStatus.DONE)
    QualificationPart.objects.filter(pk=last).update(status=JobStatus.RUNNING, done=17, heartbeat_at=NOW)
    assert requeue_stalled(NOW + STALLED, queue) == []
    assert requeue_stalled(NOW + STALLED + SECOND, queue) == queue.waiting == [last]
    assert requeue_stalled(NOW + STALLED + SECOND, queue) == []
    queue.work()
    qualification.refresh_from_db()
    assert qualification.status == JobStatus.DONE


def test_a_qualification_whose_last_worker_was_killed_before_the_report_gets_one(queue: Queue) -> None:
    qualification = requested(version_of("qt01"), queue)
    qualification.parts.update(status=JobStatus.DONE)
    Qualification.objects.update(status=JobStatus.RUNNING)
    requeue_stalled(NOW, queue)
    qualification.refresh_from_db()
    assert (qualification.status, qualification.passed) == (JobStatus.DONE, True)


@pytest.mark.long
def test_the_command_prints_and_stores_the_report() -> None:
    walk()
    output, errors = StringIO(), StringIO()
    call_command("qualify", "wk01", "--steps", "12", "--seed", "5", "--json", stdout=output, stderr=errors)
    report = json.loads(output.getvalue())
    assert (report["passed"], report["full"], report["seed"]) == (True, False, 5)
    assert all({"code", "passed", "message", "mend"} <= check.keys() for check in report["checks"])
    assert "100 %" in errors.getvalue()
    stored = Qualification.objects.get()
    assert (stored.status, stored.seed, stored.passed) == (JobStatus.DONE, 5, True)


def test_an_interrupted_command_stores_its_findings() -> None:
    version_of("fv01")
    ended_by: list[int] = []

    def end_after_the_first_part(execute: Any, sql: str, *rest: Any) -> Any:
        done = sql.startswith("UPDATE") and QualificationPart.objects.filter(status=JobStatus.DONE).count()
        if done == 1 and not ended_by:
            ended_by.append(signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)
        return execute(sql, *rest)

    with (
        connection.execute_wrapper(end_after_the_first_part),
        pytest.raises(CommandError, match=r"cancelled: after [0-9]+ of 240 steps; what was") as ended,
    ):
        call_command("qualify", "fv01", "--steps", "60", "--workers", "1", stderr=StringIO())
    assert ended.value.returncode == 2
    stored = Qualification.objects.get()
    assert (stored.status, stored.passed, stored.report["passed"]) == (JobStatus.CANCELLED, None, False)
    assert stored.report["unfinished"][-3:] == ["fuzz", "speed", "animations"]
    assert [one["code"] for one in stored.report["checks"] if not one["passed"]] == ["too_few_levels"]


def test_the_command_ends_with_status_1_and_prints_failures_with_remedies() -> None:
    version_of("im01")
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("qualify", "im01", "--steps", "20", "--workers", "1", stdout=output, stderr=StringIO())
    assert ended.value.code == 1
    text = output.getvalue()
    assert "FAILS  import_failed: " in text
    assert "Run the source in Python by itself" in text
    assert "not the full qualification" in text
    output, errors = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("qualify", "im01", "--seed", "5", "--json", stdout=output, stderr=errors)
    report = json.loads(output.getvalue())
    assert (report["passed"], report["full"], report["seed"]) == (False, True, 5)
    stored = Qualification.objects.latest("pk")
    assert (stored.status, stored.seed, stored.passed) == (JobStatus.DONE, 5, False)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["zz99"], "environment_unknown"),
        (["qt01", "--version", "ffff"], "version_unknown"),
        (["qt01", "--steps", "0"], "bad_plan"),
        (["qt01", "--seed", "-1"], "bad_plan"),
    ],
)
def test_the_command_refuses_invalid_options_with_a_code(arguments: list[str], code: str) -> None:
    version_of("qt01")
    with pytest.raises(CommandError, match=code) as refused:
        call_command("qualify", *arguments)
    assert refused.value.returncode == 2
