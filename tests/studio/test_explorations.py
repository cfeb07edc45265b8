"""Explorations from the request to the optimal recording, by worker and by command."""

from __future__ import annotations

import json
import os
import signal
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import Source
from engine.prove.exploration.graph import Limits
from playtest.insight.pages.baseline.report import baseline_report
from playtest.insight.pages.states.level import explored as explored_level
from playtest.insight.pages.states.level import states_of
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.baseline import Fewest
from playtest.studio.models import Environment, Exploration, Recording, RecordingKind, Version
from playtest.studio.queries.fewest import fewest_stored_and_proven, proves_the_shortest_win
from playtest.studio.services import explorations
from tests.engine.mazes import EIGHTH, maze
from tests.engine.sources import environment, written
from tests.make import store_version
from tests.staff import signed_in
from tests.studio.versions import fewest, version_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SMALL = Limits(nodes=100, seconds=30)


def stored_version(source: Source) -> Version:
    """A version with any source."""
    known, _ = Environment.objects.get_or_create(code=source.environment_id)
    return store_version(known, source, 6, [1, 2])


def searched(version: Version, level: int = 1, limits: Limits = SMALL) -> Exploration:
    """A search that a worker has done."""
    exploration = explorations.create(version, level, seed=0, limits=limits, budget=3)
    explorations.do_exploration(exploration.pk)
    exploration.refresh_from_db()
    return exploration


def explored(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("explore", *arguments, "--json", stdout=out, stderr=StringIO())
    output: dict[str, Any] = json.loads(out.getvalue())
    return output


def test_a_worker_explores_and_stores_the_graph_and_the_optimal_recording() -> None:
    version = version_of("wk01")
    done = searched(version, level=2)
    assert (done.status, done.error) == (JobStatus.DONE, "")
    assert done.report["fully_explored"]
    assert len(done.graph["nodes"]) == done.report["nodes"] == done.done
    stored = states_of(done)
    assert (len(stored.nodes), len(stored.edges)) == (done.report["nodes"], done.report["edges"])
    assert explored_level(version, 2).exploration == done
    assert not explored_level(version, 1).complete
    recording = Recording.objects.get(version=version, kind=RecordingKind.OPTIMAL)
    assert (recording.level, recording.levels_completed) == (2, [1, 1, 1, 2])
    game, turn = Game.start(environment("wk01"), recording.seed, level=2)
    turns = [turn, *(game.act(Action(*action)) for action in recording.actions)]
    assert turns[-1].level_completed
    assert [turn.state_hash.hex() for turn in turns] == recording.state_hashes
    assert fewest(version) == {2: 3}
    assert fewest_stored_and_proven([version.pk])[1][version.pk] == {2: 3}
    level = baseline_report(version).levels[1]
    assert level.fewest == Fewest(3, proven=True)


@pytest.mark.parametrize(
    ("report", "proven"),
    [
        ({}, False),
        ({"shortest_win": None, "complete_to": None, "fully_explored": True}, False),
        ({"shortest_win": 5, "complete_to": None, "fully_explored": True}, True),
        ({"shortest_win": 5, "complete_to": 4, "fully_explored": False}, True),
        ({"shortest_win": 5, "complete_to": 3, "fully_explored": False}, False),
        ({"shortest_win": 5, "fully_explored": False}, False),
    ],
    ids=["nothing", "no win", "all explored", "all shorter ways tried", "not all", "not said"],
)
def test_an_exploration_proves_the_fewest_actions_if_it_tried_all_shorter_paths(
    report: dict[str, Any], proven: bool
) -> None:
    assert proves_the_shortest_win(report) is proven


def test_a_stopped_exploration_states_its_complete_depth() -> None:
    version = version_of("wk01")
    stopped = searched(version, level=2, limits=Limits(nodes=4, seconds=30))
    assert not stopped.report["fully_explored"]
    assert stopped.report["complete_to"] in (0, 1)
    assert fewest_stored_and_proven([version.pk])[1][version.pk] == {}


def test_the_command_prints_the_chance_as_a_fraction_and_stores_the_graph() -> None:
    stored_version(maze(EIGHTH))
    output = explored("xx02", "--level", "1", "--budget", "3")
    assert output["p_win"] == {"lower": 0.125, "upper": 0.125, "exact": "1/8"}
    assert output["p_win_within"] == {"steps": 3, **output["p_win"]}
    assert (output["nodes"], output["edges"], output["shortest_win"]) == (7, 6, 3)
    assert output["fully_explored"]
    assert Exploration.objects.get().report["nodes"] == 7
    half = explored("xx02", "--level", "2", "--limit-nodes", "2")
    assert (half["stopped_by"], half["p_win"]["exact"], half["shortest_win"]) == ("nodes", None, None)


def test_the_page_of_an_exploration_explains_its_counts() -> None:
    done = searched(version_of("wk01"), limits=Limits(nodes=7, seconds=60))
    address = reverse("studio:exploration", args=["wk01", done.pk])
    page = signed_in(Role.DESIGNER).get(address).content.decode()
    report = done.report
    assert f"<dt>Cycles</dt><dd>{report['cycles']} among the 7 states seen</dd>" in page
    assert f"<dt>Dead ends</dt><dd>{report['dead_ends']} among the 7 states seen</dd>" in page
    assert "<dt>State identity</dt><dd>frame and declared hidden state</dd>" in page
    tried = f"{report['merges_compared']}, up to {report['merges_depth']} action"
    assert f"<dd>{tried}" in page
    assert "0 differences found" in page


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("none", "--level", "1"), "environment_unknown"),
        (("wk01", "--level", "7"), "level_unknown"),
        (("wk01", "--level", "1", "--limit-nodes", "0"), "bad_limits"),
        (("wk01", "--level", "1", "--limit-nodes", "1000000001"), "bad_limits"),
        (("wk01", "--level", "1", "--limit-depth", "0"), "bad_limits"),
    ],
)
def test_an_impossible_exploration_is_refused_with_its_reason(arguments: tuple[str, ...], code: str) -> None:
    version_of("wk01")
    with pytest.raises(CommandError, match=code) as refusal:
        explored(*arguments)
    assert refusal.value.returncode == 2


def test_an_interrupted_command_cancels_the_exploration() -> None:
    stored_version(maze({room: ((room + 1) % 16_000,) for room in range(16_000)}))
    updates: list[str] = []

    def end_while_it_searches(execute: Any, sql: str, *rest: Any) -> Any:
        updates.extend([sql] * sql.startswith("UPDATE"))
        if len(updates) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return execute(sql, *rest)

    with (
        connection.execute_wrapper(end_while_it_searches),
        pytest.raises(CommandError, match="cancelled: ") as ended,
    ):
        explored("xx02", "--level", "1")
    assert ended.value.returncode == 2
    assert Exploration.objects.get().status == JobStatus.CANCELLED


def test_an_environment_that_harms_fails_alone() -> None:
    failed = searched(stored_version(written(construct="os._exit(3)")))
    assert failed.status == JobStatus.FAILED
    assert failed.error.startswith("host_died: ")


def test_a_cancelled_exploration_stops_and_stays_cancelled() -> None:
    version = version_of("wk01")
    exploration = explorations.create(version, 1, seed=0, limits=SMALL, budget=3)
    explorations.do_exploration(exploration.pk, lambda progress: cancel(exploration.pk))
    exploration.refresh_from_db()
    assert (exploration.status, exploration.report) == (JobStatus.CANCELLED, {})
    assert not explorations.cancel(exploration.pk)


def cancel(exploration_id: int) -> None:
    explorations.cancel(exploration_id)


@pytest.mark.services
def test_an_exploration_without_its_worker_is_requeued_and_a_running_one_is_not() -> None:
    version = version_of("wk01")
    lost, alive = (explorations.create(version, 1, seed=0, limits=SMALL, budget=3) for _ in range(2))
    now = timezone.now()
    running = Exploration.objects.filter(pk__in=[lost.pk, alive.pk])
    running.update(status=JobStatus.RUNNING)
    Exploration.objects.filter(pk=lost.pk).update(heartbeat_at=now - timedelta(minutes=3))
    requeued: list[int] = []
    assert explorations.requeue_stalled(now, requeued.append) == requeued == [lost.pk]
    assert explorations.requeue_stalled(now, requeued.append) == []
    Exploration.objects.filter(pk=alive.pk).update(status=JobStatus.DONE)
    assert explorations.requeue_stalled(now + timedelta(hours=1), requeued.append) == [lost.pk]
