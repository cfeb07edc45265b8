"""Random play from the request to the gate: by workers, by command and on the page."""

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

from engine.prove.exploration.graph import Limits
from engine.prove.player import BATCH, Batch
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.rules.evidence import Standing
from playtest.studio.models import Exploration, RandomPlay, RecordingKind, Version
from playtest.studio.processes.random_play import checked
from playtest.studio.queries import batches as batch_queries
from playtest.studio.queries import evidence
from playtest.studio.queries.evidence import plan
from playtest.studio.services import explorations, random_plays
from playtest.studio.services.random_plays import gather
from tests.engine.mazes import maze
from tests.staff import signed_in
from tests.studio.test_explorations import stored_version
from tests.studio.versions import record, version_of
from tests.studio.versions import walk as walk_recorded

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LEVEL = 2


@pytest.fixture(name="walk")
def walk_with_a_win() -> Version:
    """Each of its levels is won in three moves, so a try has fifteen."""
    return walk_recorded()


def played(version: Version, number: int, *, level: int = LEVEL, seed: int = 5) -> list[RandomPlay]:
    """Tries that workers have made."""
    batches = random_plays.create(version, level, tries=number, seed=seed)
    for batch in batches:
        random_plays.do_batch(batch.pk)
        batch.refresh_from_db()
    return batches


def ordered(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("random_play", *arguments, "--json", stdout=out, stderr=StringIO())
    output: dict[str, Any] = json.loads(out.getvalue())
    return output


def test_a_worker_makes_the_tries_and_they_count(walk: Version) -> None:
    assert evidence.verdict(walk, LEVEL).budget == 15
    (batch,) = played(walk, 30)
    assert (batch.status, batch.error, batch.done) == (JobStatus.DONE, "", 30)
    assert batch.report["tries"] == 30
    known = evidence.verdict(walk, LEVEL)
    assert (known.tries, known.wins) == (30, len(batch.report["wins"]))
    assert evidence.verdict(walk, 3).tries == 0


def test_tries_are_divided_into_batches_and_a_seed_is_used_once(walk: Version) -> None:
    batches = random_plays.create(walk, LEVEL, tries=2 * BATCH + 1, seed=5)
    assert [(batch.number, batch.total, batch.budget) for batch in batches] == [
        (0, BATCH, 15), (1, BATCH, 15), (2, 1, 15),
    ]  # fmt: skip
    with pytest.raises(RuleError) as refused:
        random_plays.create(walk, LEVEL, tries=1, seed=5)
    assert refused.value.code == "seed_used"
    random_plays.create(walk, 3, tries=1, seed=5)


@pytest.mark.parametrize(
    ("level", "asked", "code"),
    [
        (7, {}, "level_unknown"),
        (0, {}, "level_unknown"),
        (2, {"tries": 0}, "bad_tries"),
        (2, {"tries": 1_000_001}, "bad_tries"),
        (2, {"seed": -1}, "bad_tries"),
    ],
)
def test_an_impossible_request_is_refused_with_its_reason(
    walk: Version, level: int, asked: dict[str, Any], code: str
) -> None:
    with pytest.raises(RuleError) as refused:
        random_plays.create(walk, level, **asked)
    assert refused.value.code == code


def test_tries_need_a_known_win() -> None:
    with pytest.raises(RuleError) as refused:
        random_plays.create(version_of("qt01"), LEVEL)
    assert refused.value.code == "no_win_known"
    assert "Add a recording that wins it, or explore the level." in str(refused.value)


def test_missing_tries_are_requested_once(walk: Version) -> None:
    made = random_plays.create(walk, LEVEL)
    assert sum(batch.total for batch in made) == 30_000
    with pytest.raises(RuleError) as refused:
        random_plays.create(walk, LEVEL)
    assert refused.value.code == "tries_not_needed"


@pytest.mark.long
def test_no_search_however_it_is_limited_lets_a_level_pass_that_one_in_four_win() -> None:
    version = version_of("gs01")
    record(version, RecordingKind.WIN, [1] * 16, [0, *([1] * 8), *([2] * 8)])
    assert evidence.verdict(version, LEVEL).budget == 40
    for limited, budget in (
        ({"nodes": 1}, None),
        ({"edges": 1}, 1),
        ({"steps": 1}, 1_000),
        ({"seconds": 0.000001}, 2),
        ({"depth": 1}, 1),
    ):
        limits = Limits(**limited)
        search = explorations.create(version, LEVEL, seed=0, limits=limits, budget=budget)
        explorations.do_exploration(search.pk)
        assert not evidence.verdict(version, LEVEL).met, (limited, budget)
    whole = explorations.create(version, LEVEL, seed=0, limits=Limits())
    explorations.do_exploration(whole.pk)
    known = evidence.verdict(version, LEVEL)
    assert (known.standing, known.budget) == (Standing.TOO_EASY, 5)
    assert known.sentence.endswith("with a chance of 25 %.")
    hard = explorations.create(version, 3, seed=0, limits=Limits())
    explorations.do_exploration(hard.pk)
    assert evidence.verdict(version, 3).met
    cut = explorations.create(version, 3, seed=0, limits=Limits(nodes=1), budget=1)
    explorations.do_exploration(cut.pk)
    assert evidence.verdict(version, 3).graph == hard.pk


def test_no_batch_is_requested_or_played_once_the_evidence_is_sufficient() -> None:
    version = version_of("gs01")
    record(version, RecordingKind.WIN, [1] * 24, [done // 8 for done in range(25)])
    (batch,) = random_plays.create(version, 3, tries=10)
    search = explorations.create(version, 3, seed=0, limits=Limits())
    explorations.do_exploration(search.pk)
    random_plays.do_batch(batch.pk)
    batch.refresh_from_db()
    assert (batch.status, batch.report) == (JobStatus.CANCELLED, {})
    assert batch.error.startswith("not_needed: ")
    with pytest.raises(RuleError) as refused:
        random_plays.create(version, 3, tries=10)
    assert refused.value.code == "tries_not_needed"
    page = signed_in(Role.ENGINEER).get(reverse("studio:random-play", args=["gs01", 3])).content.decode()
    assert "More tries" not in page


def test_one_request_makes_graphs_first_and_then_the_missing_tries(walk: Version) -> None:
    queued: list[tuple[str, int]] = []
    wanted = plan(walk)
    assert wanted.graphs == (2, 3, 4, 5, 6)
    assert wanted.tries == tuple((level, 30_000) for level in wanted.graphs)
    made = gather(walk, lambda pk: queued.append(("graph", pk)), lambda pk: queued.append(("batch", pk)))
    assert made == wanted
    assert RandomPlay.objects.count() == 5 * 30_000 / BATCH
    assert Exploration.objects.count() == 5
    assert not plan(walk)
    search = Exploration.objects.get(level=2)
    explorations.do_exploration(search.pk)
    search.refresh_from_db()
    assert search.report["p_win_within"]["steps"] == 15
    known = evidence.verdict(walk, 2)
    assert (known.standing, known.graph) == (Standing.TOO_EASY, search.pk)


def test_a_search_of_a_level_that_draws_by_chance_leaves_the_gate_closed() -> None:
    draws = "if index == 1 and random.random() < 1: to = 'loss'"
    version = stored_version(maze({0: ("loss", 1), 1: ("loss", "win")}, step=draws))
    search = explorations.create(version, LEVEL, seed=0, limits=Limits(nodes=50, seconds=20))
    explorations.do_exploration(search.pk)
    search.refresh_from_db()
    assert search.report["p_win"]["upper"] == 0
    assert search.report["depends_on_action_count"]
    assert not evidence.verdict(version, LEVEL).met


def test_levels_that_need_a_recording_are_named() -> None:
    version = version_of("qt01")
    assert plan(version).graphs == (2, 3, 4, 5, 6)
    Exploration.objects.bulk_create(
        Exploration(
            version=version, level=level, seed=0, status=JobStatus.DONE, requested_at=timezone.now(),
            report={"nodes": 1, "fully_explored": False, "stopped_by": "nodes", "shortest_win": None},
        )
        for level in range(2, 7)
    )  # fmt: skip
    assert (plan(version).graphs, plan(version).recordings) == ((), (2, 3, 4, 5, 6))
    assert not plan(version)


def test_a_cancelled_or_requeued_batch_counts_once_finished(walk: Version) -> None:
    lost, waiting = random_plays.create(walk, LEVEL, tries=BATCH + 1, seed=5)
    moment = timezone.now()
    RandomPlay.objects.filter(pk=lost.pk).update(
        status=JobStatus.RUNNING, heartbeat_at=moment - timedelta(minutes=6)
    )
    requeued: list[int] = []
    assert random_plays.requeue_stalled(moment, requeued.append) == requeued == [lost.pk]
    assert (
        batch_queries.progress_of(walk, LEVEL)["text"] == f"It waits for a worker: 0 of {BATCH + 1:,} tries"
    )
    random_plays.do_batch(waiting.pk)
    assert batch_queries.progress_of(walk, LEVEL)["text"] == f"It is under way: 1 of {BATCH + 1:,} tries"
    assert random_plays.cancel(batch_queries.of_level(walk, LEVEL)) == 1
    random_plays.do_batch(lost.pk)
    assert evidence.verdict(walk, LEVEL).tries == 1


@pytest.mark.parametrize(
    "forged",
    [
        {"tries": 10**6, "wins": []},
        {"wins": [[10**6, 1]]},
        {"wins": [[0, 0]]},
        {"wins": [["0", 1]]},
        {"faults": {"f": 5}},
        {"actions": -1},
        {"lost": "9"},
    ],
)
def test_a_report_written_by_foreign_code_does_not_count(forged: dict[str, Any]) -> None:
    batch = Batch(LEVEL, 5, 0, 9, 15)
    sound = {"tries": 9, "wins": [[3, 4]], "lost": 8, "stuck": 0, "actions": 40, "faults": {}}
    assert checked(sound, batch) == sound
    with pytest.raises(ValueError, match=r"not a report of the batch|not faults by their code"):
        checked(sound | forged, batch)


def test_the_command_makes_tries_and_prints_the_evidence(walk: Version) -> None:
    output = ordered("wk01", "--level", "2", "--tries", "40", "--seed", "3", "--workers", "2")
    assert (output["tries"], output["budget"], output["seed"]) == (40, 15, 3)
    assert output["known"]["words"].startswith("Level 2: ")
    (batch,) = RandomPlay.objects.all()
    assert (batch.status, batch.report["wins"]) == (JobStatus.DONE, output["wins"])
    with pytest.raises(CommandError, match="seed_used") as refused:
        ordered("wk01", "--level", "2", "--tries", "40", "--seed", "3")
    assert refused.value.returncode == 2


def test_an_interrupted_command_keeps_finished_batches() -> None:
    record(version_of("gs01"), RecordingKind.WIN, [1] * 24, [done // 8 for done in range(25)])
    ended: list[int] = []

    def end_after_the_first_batch(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        done = sql.startswith("UPDATE") and RandomPlay.objects.filter(status=JobStatus.DONE).exists()
        if done and not ended:
            ended.append(os.getpid())
            os.kill(os.getpid(), signal.SIGTERM)
        return found

    with connection.execute_wrapper(end_after_the_first_batch):
        output = ordered("gs01", "--level", "3", "--tries", "2500", "--workers", "1")
    assert 0 < output["tries"] < 2_500
    assert set(RandomPlay.objects.values_list("status", flat=True)) == {JobStatus.DONE, JobStatus.CANCELLED}


def test_the_page_shows_the_evidence_and_starts_and_stops_random_play(walk: Version) -> None:
    client = signed_in(Role.ENGINEER)
    address = reverse("studio:random-play", args=["wk01", 2])
    assert "30,000 tries of 15 actions are needed" in client.get(address).content.decode()
    refused = client.post(reverse("studio:random-play-start", args=["wk01", 2]), {"tries": "x"}, follow=True)
    assert "bad_tries" in refused.content.decode()
    client.post(reverse("studio:random-play-start", args=["wk01", 2]), {"tries": "1500"})
    assert RandomPlay.objects.count() == 2
    progress = client.get(reverse("studio:random-play-progress", args=["wk01", 2])).json()
    assert progress == {
        "unfinished": True, "share": 0.0, "text": "It waits for a worker: 0 of 1,500 tries", "found": 0,
    }  # fmt: skip
    client.post(reverse("studio:random-play-cancel", args=["wk01", 2]))
    assert not client.get(reverse("studio:random-play-progress", args=["wk01", 2])).json()["unfinished"]
    assert client.get(reverse("studio:random-play", args=["wk01", 7])).status_code == 404


def test_the_studio_page_offers_what_is_missing_with_one_button(walk: Version) -> None:
    client = signed_in(Role.ENGINEER)
    page = client.get(reverse("studio:environment", args=["wk01"])).content.decode()
    assert "Gather missing evidence" in page
    asked = client.post(reverse("studio:gather", args=["wk01"]), follow=True).content.decode()
    assert "Requested: explorations of 5 levels and 150,000 random tries." in asked
    assert "Gather missing evidence" not in asked
    assert "30,000 to come" in asked
    again = client.post(reverse("studio:gather", args=["wk01"]), follow=True).content.decode()
    assert "Nothing can be started" in again
