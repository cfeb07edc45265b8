"""Random play from the request to the gate: by workers, by command and on the page."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from engine.prove.chance import Question
from engine.prove.exploration.graph import Limits
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.rules.evidence import Standing
from playtest.studio.models import Exploration, RandomPlay, RecordingKind, Version
from playtest.studio.processes.random_play import checked
from playtest.studio.queries import evidence
from playtest.studio.queries.evidence import plan
from playtest.studio.services import explorations, random_plays
from playtest.studio.services.random_plays import gather
from tests.engine.mazes import Rooms, maze
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


def played(version: Version, *, level: int = LEVEL, seed: int = 5) -> RandomPlay:
    """Random play that a worker has made."""
    row = random_plays.create(version, level, seed=seed)
    assert random_plays.do_play(row.pk)
    row.refresh_from_db()
    return row


def ordered(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("random_play", *arguments, "--json", stdout=out, stderr=StringIO())
    output: dict[str, Any] = json.loads(out.getvalue())
    return output


def test_a_worker_plays_a_level_and_it_counts(walk: Version) -> None:
    assert evidence.verdict(walk, LEVEL).budget == 15
    row = played(walk)
    assert (row.status, row.error, row.done) == (JobStatus.DONE, "", row.total)
    known = evidence.verdict(walk, LEVEL)
    assert (known.standing, known.tries, known.wins) == (Standing.TOO_EASY, row.report["tries"], 2)
    assert evidence.verdict(walk, 3).tries == 0


@pytest.fixture
def hard() -> Version:
    """Of three doors one is right, twelve times."""
    right: Rooms = {room: (room + 1, "loss", "loss") for room in range(11)} | {11: ("win", "loss", "loss")}
    version = stored_version(maze(right))
    record(version, RecordingKind.WIN, [1] * 24, [done // 12 for done in range(25)])
    return version


def test_splitting_decides_where_tries_do_not(hard: Version) -> None:
    row = played(hard)
    known = evidence.verdict(hard, LEVEL)
    assert row.report["splitting"]
    assert (known.standing, known.wins) == (Standing.HARD_ENOUGH, 0)
    assert "splitting" in known.sentence
    page = signed_in(Role.ENGINEER).get(reverse("studio:random-play", args=["xx02", 2])).content.decode()
    assert "to get beyond the last stage" in page


@pytest.mark.parametrize(
    ("level", "asked", "code"),
    [
        (7, {}, "level_unknown"),
        (0, {}, "level_unknown"),
        (2, {"seed": -1}, "bad_seed"),
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


def test_random_play_is_requested_once_at_a_time_and_a_seed_once(walk: Version) -> None:
    row = random_plays.create(walk, LEVEL, seed=5)
    with pytest.raises(RuleError) as refused:
        random_plays.create(walk, LEVEL)
    assert refused.value.code == "play_not_needed"
    random_plays.cancel(RandomPlay.objects.filter(pk=row.pk))
    with pytest.raises(RuleError) as refused:
        random_plays.create(walk, LEVEL, seed=5)
    assert refused.value.code == "seed_used"
    random_plays.create(walk, 3, seed=5)


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


def test_nothing_is_requested_or_played_once_the_evidence_is_sufficient(hard: Version) -> None:
    row = random_plays.create(hard, LEVEL)
    search = explorations.create(hard, LEVEL)
    gathered = explorations.create(hard, LEVEL, limits=explorations.GATHERED)
    explorations.do_exploration(search.pk)
    assert not explorations.do_exploration(gathered.pk)
    assert not random_plays.do_play(row.pk)
    row.refresh_from_db()
    assert (row.status, row.report) == (JobStatus.CANCELLED, {})
    assert row.error.startswith("not_needed: ")
    with pytest.raises(RuleError) as refused:
        random_plays.create(hard, LEVEL)
    assert refused.value.code == "play_not_needed"
    page = signed_in(Role.ENGINEER).get(reverse("studio:random-play", args=["xx02", 2])).content.decode()
    assert "Start random play" not in page


def test_one_request_makes_all_that_is_missing_and_stops_at_a_level_that_failed(walk: Version) -> None:
    queued: list[tuple[str, int]] = []
    wanted = plan(walk)
    assert wanted.graphs == wanted.plays == (2, 3, 4, 5, 6)
    made = gather(walk, lambda pk: queued.append(("graph", pk)), lambda pk: queued.append(("play", pk)))
    assert made == wanted
    assert RandomPlay.objects.count() == Exploration.objects.count() == 5
    assert not plan(walk)
    search = Exploration.objects.get(level=2)
    explorations.do_exploration(search.pk)
    search.refresh_from_db()
    assert search.report["p_win_within"]["steps"] == 15
    known = evidence.verdict(walk, 2)
    assert (known.standing, known.graph) == (Standing.TOO_EASY, search.pk)
    assert {row.status for row in RandomPlay.objects.all()} == {JobStatus.CANCELLED}
    assert RandomPlay.objects.get(level=4).error.startswith("not_needed: level 2 is too easy")
    assert plan(walk).failed == 2


def test_no_graph_is_asked_for_where_its_player_would_know_where_to_click(walk: Version) -> None:
    walk.available_actions = [1, 2, 6]
    assert (plan(walk).graphs, plan(walk).plays) == ((), (2, 3, 4, 5, 6))


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


def test_random_play_whose_worker_is_gone_is_requeued(walk: Version) -> None:
    row = random_plays.create(walk, LEVEL, seed=5)
    moment = timezone.now()
    RandomPlay.objects.filter(pk=row.pk).update(
        status=JobStatus.RUNNING, heartbeat_at=moment - timedelta(minutes=6)
    )
    requeued: list[int] = []
    assert random_plays.requeue_stalled(moment, requeued.append) == requeued == [row.pk]


@pytest.mark.parametrize(
    "forged",
    [
        {"tries": 1},
        {"wins": [[0, 0]]},
        {"wins": [["0", 1]]},
        {"faults": {"f": -1}},
        {"actions": -1},
        {"lost": "9"},
        {"clicks": "declared"},
        {"informed": [100] * 3},
        {"splitting": {"particles": 100, "stages": 1, "hits": [[101]] * 5, "wins": [0] * 5}},
        {"splitting": {"particles": 1, "stages": 1, "hits": [[1]] * 5, "wins": [0] * 5}},
        {"splitting": {"particles": 100, "stages": 1, "hits": [[1, 1]] * 5, "wins": [0] * 5}},
        {"splitting": {"particles": 100, "stages": 1, "hits": [[1]] * 5, "wins": []}},
    ],
)
def test_a_report_written_by_foreign_code_does_not_count(forged: dict[str, Any]) -> None:
    question = Question(LEVEL, 5, 15, 1e-4)
    runs = {"particles": 100, "stages": 1, "hits": [[1]] * 5, "wins": [0] * 5}
    sound = {"clicks": "uniform", "tries": 9, "wins": [[3, 4]], "lost": 8, "stuck": 0, "actions": 40}
    sound |= {"faults": {}, "informed": [100, 0], "splitting": runs}
    assert checked(sound, question) == sound
    with pytest.raises(ValueError, match="not a report of random play"):
        checked(sound | forged, question)


def test_the_command_plays_a_level_and_prints_the_evidence(walk: Version) -> None:
    output = ordered("wk01", "--level", "2", "--seed", "3")
    assert (output["budget"], output["seed"], len(output["wins"])) == (15, 3, 2)
    assert output["known"]["words"].startswith("Level 2: ")
    row = RandomPlay.objects.get()
    assert (row.status, row.report["wins"]) == (JobStatus.DONE, output["wins"])
    with pytest.raises(CommandError, match="seed_used") as refused:
        ordered("wk01", "--level", "2", "--seed", "3")
    assert refused.value.returncode == 2


def test_the_page_shows_the_evidence_and_starts_and_stops_random_play(walk: Version) -> None:
    client = signed_in(Role.ENGINEER)
    address = reverse("studio:random-play", args=["wk01", 2])
    assert "random play of 15 actions a try is needed" in client.get(address).content.decode()
    client.post(reverse("studio:random-play-start", args=["wk01", 2]))
    assert RandomPlay.objects.count() == 1
    waits = "It waits for a worker for less than a minute; it is next, and 0 jobs are under way"
    assert waits in client.get(address).content.decode()
    client.post(reverse("studio:random-play-cancel", args=["wk01", 2]))
    assert "<job-progress" not in client.get(address).content.decode()
    assert client.get(reverse("studio:random-play", args=["wk01", 7])).status_code == 404


def test_the_studio_page_offers_what_is_missing_with_one_button(walk: Version) -> None:
    client = signed_in(Role.ENGINEER)
    page = client.get(reverse("studio:environment", args=["wk01"])).content.decode()
    assert "Gather missing evidence" in page
    asked = client.post(reverse("studio:gather", args=["wk01"]), follow=True).content.decode()
    assert "Requested: explorations of 5 levels and random play of 5 levels." in asked
    assert "Gather missing evidence" not in asked
    assert "more to come" in asked
    again = client.post(reverse("studio:gather", args=["wk01"]), follow=True).content.decode()
    assert "Nothing can be started" in again
