"""Runs of agents and internal plays change no number about people, nor internal plays one about agents.

All pass the checks of the record like people's attempts.
"""

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from playtest.arena.pages.environment import FIGURES as AGENTS_FIGURES
from playtest.center.pay.totals import study_pay
from playtest.center.wall.facts import FactsReader
from playtest.insight.models import LevelResult
from playtest.insight.pages.baseline.report import baseline_report
from playtest.insight.pages.environment.attempt_strips import attempt_rows
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.environment.level_table import level_facts, seconds_to_change
from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.version import version_results
from playtest.insight.tasks import keep_up_to_date
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.journal.days import sign_days
from playtest.play.models import Attempt, Entry, Study
from playtest.play.sessions.quota import candidates
from playtest.play.sessions.reads import PEOPLE
from playtest.play.tasks import end_overdue
from playtest.review.queries.attempts import attempts, unacknowledged_faults
from playtest.review.queries.effort import norm_states
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import make
from tests.arena.runs.played import PIT, UNAVAILABLE, on_a_card, write_run
from tests.arena.scores.agents import version
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.make import days_later, verdict
from tests.review.tampering import unprotect
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REASONING = '{"output": "right"}'


@pytest.fixture
def study() -> Study:
    """Five people: one solves, one is lost in the pit, one left at once, one still plays, one sat down."""
    study = make.study(people=100)
    make.play(make.session(study), [*[2] * 31, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [4, 4, 4, 2, PIT, 0, 2, 2])
    make.play(make.session(study), [2])
    make.play(make.session(study), [4, 4], None)
    make.session(study)
    return study


def runs() -> list[Attempt]:
    """Won; lost with a reset and an unavailable action, on a closed card; still open; failed."""
    return [
        write_run(version(), WALK, Outcome.COMPLETED, {1: REASONING}),
        write_run(version(), [4, UNAVAILABLE, PIT, 0, 4, 4, 4, 2], Outcome.CARD_CLOSED),
        write_run(version(), [4, 4, 4], None),
        write_run(version(), [4], Outcome.FAULT),
    ]


def internal_plays() -> list[Attempt]:
    """Won; from a later level, lost in the pit and completed; failed; still open."""
    lead, designer = staff(Role.LEAD), staff(Role.DESIGNER)
    return [
        make.play_internally(version(), lead, [*[2] * 40, *WALK], Outcome.COMPLETED),
        make.play_internally(version(), lead, WALK[6:9], level=3),
        make.play_internally(version(), designer, [PIT, 0, 4], Outcome.FAULT),
        make.play_internally(version(), designer, WALK[9:], None, level=4),
    ]


def numbers_about_people(study: Study, client: Client, folder: Path) -> dict[str, Any]:
    """What pages, gates and files say about people, each by a name."""
    keep_up_to_date()
    up_to_date()
    written = write_dataset(study, folder, "csv", identified=False)
    figures = (*PAGE, "dwell-1")
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


def numbers_about_agents(client: Client) -> dict[str, Any]:
    """What the pages of agents draw and list, each by a name."""
    boards = client.get(reverse("arena:boards")).text
    return {"boards": re.sub(r'value="\w{64}"', "", boards)} | {  # without the tokens of its forms
        name: client.get(reverse("arena:environment-figure", args=["wk01", name, "json"])).json()
        for name in AGENTS_FIGURES
    }


def test_runs_and_internal_plays_change_no_number_about_people_nor_these_one_about_agents(
    study: Study, tmp_path: Path
) -> None:
    client = signed_in(Role.LEAD)

    def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
        return [name for name, number in before.items() if after[name] != number]

    people = numbers_about_people(study, client, tmp_path / "people")
    found = runs()
    for run in found:
        on_a_card(run)
    with_runs = numbers_about_people(study, client, tmp_path / "with runs")
    assert changed(people, with_runs) == []
    agents = numbers_about_agents(client)
    plays = internal_plays()
    with_all = numbers_about_people(study, client, tmp_path / "with all") | numbers_about_agents(client)
    assert changed(people | agents, with_all) == []
    charted = LevelResult.objects.filter(attempt__in=[one.pk for one in (*found, *plays)])
    assert charted.values("attempt").distinct().count() == len(found) + len(plays)


def test_the_sweep_leaves_runs_and_internal_plays_alone(study: Study) -> None:
    run = write_run(version(), [4], None)
    play = make.play_internally(version(), staff(Role.LEAD), [4], None)
    with make.at(now() + timedelta(days=2)):
        end_overdue()
    assert set(Attempt.objects.filter(ended_at=None)) == {run, play}
    assert not Attempt.objects.filter(PEOPLE, ended_at=None).exists()


@pytest.mark.usefixtures("own_folder")
def test_rebuilding_and_verifying_include_runs_and_internal_plays(study: Study) -> None:
    runs()
    internal_plays()
    up_to_date()
    before = list(LevelResult.objects.order_by("attempt", "level").values())
    Attempt.objects.filter(participant=None, outcome=Outcome.CARD_CLOSED).update(actions=1)
    said = StringIO()
    call_command("rebuild", stdout=said)
    assert "1 attempts corrected" in said.getvalue()
    assert f"{len(before)} level results of 12 attempts" in said.getvalue()
    rebuilt = LevelResult.objects.order_by("attempt", "level").values()
    assert [row | {"id": 0} for row in rebuilt] == [row | {"id": 0} for row in before]
    sign_days(days_later(1))
    said = StringIO()
    call_command("verify_attempts", stdout=said)
    assert "12 checked, 0 differ" in said.getvalue()


def test_a_changed_entry_of_a_run_and_another_first_level_of_an_internal_play_are_found() -> None:
    run = write_run(version(), [4, 4, 4])
    play = make.play_internally(version(), staff(Role.LEAD), WALK[6:9], level=3)
    call_command("verify_attempts", str(run.pk), str(play.pk), stdout=StringIO())
    unprotect()
    Entry.objects.filter(attempt=run, seq=2).update(action=3)
    Attempt.objects.filter(pk=play.pk).update(first_level=2)
    for one in (run, play):
        with pytest.raises(CommandError, match="attempts_differ"):
            call_command("verify_attempts", str(one.pk), stdout=StringIO())
