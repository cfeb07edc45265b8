"""Runs of agents change no number about people, and pass the checks of the record like people's attempts."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from playtest.center.pay.queries.totals import study_pay
from playtest.center.wall.facts import FactsReader
from playtest.insight.baseline.report import baseline_report
from playtest.insight.environment.attempt_strips import attempt_rows
from playtest.insight.environment.figures import PAGE
from playtest.insight.environment.level_table import level_facts, seconds_to_change
from playtest.insight.models import LevelResult
from playtest.insight.results.acceptance import verdict
from playtest.insight.results.version import version_results
from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tasks import keep_up_to_date
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Entry, Study
from playtest.play.queries import PEOPLE, candidates
from playtest.play.services.days import sign_days
from playtest.play.tasks import end_overdue
from playtest.review.queries.attempts import attempts, unacknowledged_faults
from playtest.review.queries.effort import norm_states
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Version
from tests import sittings
from tests.arena.runs.played import PIT, UNAVAILABLE, write_run
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review.tampering import unprotect
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

REASONING = '{"output": "right"}'


@pytest.fixture
def study() -> Study:
    """Five people: one solves, one is lost in the pit, one left at once, one still plays, one sat down."""
    study = sittings.study(people=100)
    sittings.play(sittings.sit_down(study), [*[2] * 31, *WALK], Outcome.COMPLETED)
    sittings.play(sittings.sit_down(study), [4, 4, 4, 2, PIT, 0, 2, 2])
    sittings.play(sittings.sit_down(study), [2])
    sittings.play(sittings.sit_down(study), [4, 4], None)
    sittings.sit_down(study)
    return study


def version() -> Version:
    found = Environment.objects.get(code="wk01").current
    assert found is not None
    return found


def runs() -> list[Attempt]:
    """Won; lost with a reset and an unavailable action, on a closed card; still open; failed."""
    return [
        write_run(version(), WALK, Outcome.COMPLETED, {1: REASONING}),
        write_run(version(), [4, UNAVAILABLE, PIT, 0, 4, 4, 4, 2], Outcome.CARD_CLOSED),
        write_run(version(), [4, 4, 4], None),
        write_run(version(), [4], Outcome.FAULT),
    ]


def numbers_about_people(study: Study, client: Client, folder: Path) -> dict[str, Any]:
    """What pages, gates and files say about people, each by a name."""
    keep_up_to_date()
    up_to_date()
    written = write_dataset(study, folder, "csv", identified=False)
    figures = (*PAGE, "dwell-1", "survival-time-1")
    reader = version_results(version(), EVERYONE)
    return {
        "baseline": baseline_report(version(), EVERYONE),
        "baseline of the study": baseline_report(version(), Scope(study)),
        "acceptance": verdict(Environment.objects.get(code="wk01")),
        "quota": candidates(study),
        "pay": study_pay(study),
        "data set": (written.rows, written.digest),
        "norms of effort": norm_states(),
        "faults": unacknowledged_faults().count(),
        "attempts": list(attempts().values_list("pk", flat=True)),
        "wall": FactsReader().read(now()),
        "levels": level_facts(reader, seconds_to_change(reader)),
        "strips": attempt_rows(reader, 100),
        "portfolio": client.get(reverse("insight:portfolio-file")).content,
    } | {
        name: client.get(reverse("insight:environment-figure", args=["wk01", name, "json"])).json()
        for name in figures
    }


@pytest.mark.services
def test_runs_change_no_number_about_people(study: Study, tmp_path: Path) -> None:
    client = signed_in(Role.LEAD)
    before = numbers_about_people(study, client, tmp_path / "before")
    found = runs()
    after = numbers_about_people(study, client, tmp_path / "after")
    for name, number in before.items():
        assert after[name] == number, name
    assert all(LevelResult.objects.filter(attempt=run).exists() for run in found), "charts use their levels"


PAGES = (
    "insight:portfolio", "insight:board", "insight:redundancy", "insight:sets", "review:attempts",
    "review:queue", "review:decisions", "review:data", "review:exports", "review:signed-days",
    "review:withdrawal", "center:sessions", "center:pay", "center:wall", "center:schedule", "center:roster",
)  # fmt: skip


def test_every_page_about_people_opens_while_there_are_runs(study: Study) -> None:
    runs()
    client = signed_in(Role.LEAD)
    addresses = [
        *map(reverse, PAGES),
        *(reverse(f"insight:{name}", args=["wk01"]) for name in ("environment", "baseline", "versions")),
        reverse("insight:level", args=["wk01", 1]),
        reverse("insight:study", args=[study.pk]),
    ]
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(
        addresses, 200
    )


def test_the_sweep_leaves_runs_alone(study: Study) -> None:
    run = write_run(version(), [4], None)
    with sittings.at(now() + timedelta(days=2)):
        end_overdue()
    run.refresh_from_db()
    assert run.ended_at is None
    assert not Attempt.objects.filter(PEOPLE, ended_at=None).exists()


@pytest.mark.services
def test_rebuilding_and_verifying_include_runs(study: Study) -> None:
    runs()
    up_to_date()
    before = list(LevelResult.objects.order_by("attempt", "level").values())
    Attempt.objects.filter(participant=None, outcome=Outcome.CARD_CLOSED).update(actions=1)
    said = StringIO()
    call_command("rebuild", stdout=said)
    assert "1 attempts corrected" in said.getvalue()
    assert f"{len(before)} level results of 8 attempts" in said.getvalue()
    rebuilt = LevelResult.objects.order_by("attempt", "level").values()
    assert [row | {"id": 0} for row in rebuilt] == [row | {"id": 0} for row in before]
    sign_days(now() + timedelta(days=1))
    said = StringIO()
    call_command("verify_attempts", stdout=said)
    assert "8 checked, 0 differ" in said.getvalue()


def test_a_changed_entry_of_a_run_is_found(study: Study) -> None:
    run = write_run(version(), [4, 4, 4])
    unprotect()
    Entry.objects.filter(attempt=run, seq=2).update(action=3)
    with pytest.raises(CommandError, match="attempts_differ"):
        call_command("verify_attempts", str(run.pk), stdout=StringIO())
