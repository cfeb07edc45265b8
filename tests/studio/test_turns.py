"""Whose turn it is: environments take turns, short jobs go first, and a job says why it waits."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from engine.prove.exploration.graph import Limits
from playtest.insight.tasks import import_study, mask_states
from playtest.jobs.models import JobStatus
from playtest.operation.tasks import audit_if_due
from playtest.review.tasks.exports import make_export
from playtest.studio import tasks
from playtest.studio.models import Exploration, QualificationPart, Version
from playtest.studio.queries.jobs import progress_of
from playtest.studio.queries.turns import in_turn
from playtest.studio.services import explorations, qualifications
from tests.studio.versions import version_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PROCFILE = Path(__file__).parents[2] / "Procfile"


def explored(version: Version, seconds: float) -> Exploration:
    return explorations.create(version, 2, seed=0, limits=Limits(nodes=20, seconds=seconds))


def test_environments_take_turns_and_of_each_the_shortest_job_goes_first() -> None:
    many, few = version_of("wk01"), version_of("ck01")
    long, short, other = explored(many, 900), explored(many, 60), explored(few, 900)
    assert [job.key for job in in_turn()] == [short.pk, other.pk, long.pk]
    served = timezone.now() - timedelta(hours=1)
    Exploration.objects.filter(pk=short.pk).update(status=JobStatus.DONE, heartbeat_at=served)
    assert [job.key for job in in_turn()] == [other.pk, long.pk]
    Exploration.objects.filter(pk=other.pk).update(status=JobStatus.RUNNING)
    again = explored(few, 1)
    assert [job.key for job in in_turn()] == [long.pk, again.pk]
    text = progress_of(again)["text"]
    assert "1 job goes first, about 15 min, because environments take turns" in text


def test_a_worker_takes_the_job_whose_turn_it_is_and_not_the_one_it_was_told_of() -> None:
    told, next_ = explored(version_of("wk01"), 900), explored(version_of("ck01"), 30)
    tasks.do_exploration(told.pk)
    told.refresh_from_db()
    next_.refresh_from_db()
    assert (told.status, next_.status) == (JobStatus.WAITING, JobStatus.DONE)
    tasks.do_play(0)
    tasks.do_part(0)
    told.refresh_from_db()
    assert told.status == JobStatus.DONE


def test_parts_wait_for_the_structure() -> None:
    made = qualifications.create(version_of("wk01"), 1, 100)
    assert [(job.model, job.key) for job in in_turn()] == [
        (QualificationPart, made.parts.get(regime="structure").pk)
    ]
    assert "it is next" in progress_of(made)["text"]


def test_a_worker_reserves_no_other_job_beside_a_long_one() -> None:
    """It may hold as many unacknowledged messages as it does jobs: an import waited behind random play."""
    ours = (tasks.do_import, tasks.do_part, tasks.do_exploration, tasks.do_play, tasks.measure_pairs)
    long = (*ours, make_export, import_study, mask_states, audit_if_due)
    assert all(task.acks_late for task in long)
    lines = [line for line in PROCFILE.read_text().splitlines() if " --queues " in line]
    assert len(lines) == 2
    assert all(" --prefetch-multiplier 1 " in line for line in lines)
