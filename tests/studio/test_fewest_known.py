"""The fewest actions known for a level are the same on every page, from any source."""

import pytest
from django.urls import reverse
from django.utils import timezone

from playtest.insight.pages.baseline.report import baseline_report
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.baseline import Fewest
from playtest.studio.models import Exploration, RandomPlay, Recording, RecordingKind, Version
from playtest.studio.queries import evidence
from tests.staff import signed_in
from tests.studio.versions import fewest, record, version_of, walk

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def explored(version: Version, level: int, shortest: int | None, status: JobStatus = JobStatus.DONE) -> None:
    report = {"shortest_win": shortest, "fully_explored": False, "complete_to": 1}
    Exploration.objects.create(
        version=version, seed=0, level=level, status=status, report=report, requested_at=timezone.now()
    )


def tried(version: Version, level: int, wins: list[list[int]], status: JobStatus = JobStatus.DONE) -> None:
    RandomPlay.objects.create(
        version=version, level=level, seed=level, number=0, budget=15, status=status,
        report={"tries": 9, "wins": wins, "faults": {}}, requested_at=timezone.now(),
    )  # fmt: skip


def test_a_version_without_a_win_has_no_fewest_actions() -> None:
    version = version_of("wk01")
    explored(version, 1, None)
    tried(version, 1, [])
    assert fewest(version) == {}


def test_a_recording_counts_for_each_level_that_it_wins() -> None:
    version = walk()
    record(version, RecordingKind.UNFINISHED, [4, 4, 1, 2], [0, 0, 1, 1, 1])
    assert fewest(version) == {1: 2, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3}


def test_the_shortest_win_of_any_source_counts() -> None:
    version = walk()
    explored(version, 2, 5)
    explored(version, 3, 2)
    explored(version, 4, 1, JobStatus.RUNNING)
    tried(version, 5, [[0, 9], [4, 2]])
    tried(version, 6, [[0, 1]], JobStatus.CANCELLED)
    assert fewest(version) == {1: 3, 2: 3, 3: 2, 4: 3, 5: 2, 6: 3}


@pytest.mark.services
def test_every_page_shows_the_same_fewest_actions() -> None:
    version = walk()
    explored(version, 2, 2)
    tried(version, 3, [[0, 2]])
    shown = {1: 3, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3}
    report = baseline_report(version)
    assert {level.level: level.fewest for level in report.levels} == {
        level: Fewest(actions, proven=level == 2) for level, actions in shown.items()
    }
    assert {known.level: known.fewest for known in evidence.verdicts([version])[version.pk]} == shown
    win = Recording.objects.get(version=version, kind=RecordingKind.WIN)
    journal = signed_in(Role.RESEARCHER).get(reverse("review:stored-recording-journal", args=[win.pk]))
    assert journal.json()["fewest"] == list(shown.values())
