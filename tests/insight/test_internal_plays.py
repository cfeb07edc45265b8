"""Internal plays have level results and replays, and open the gate to External."""

import json
import re

import pytest
from django.urls import reverse

from playtest.insight.services.pipeline import move
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.review.models import Comment
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Recording, Version
from tests import make
from tests.insight.stages import card, newer_version, qualify, ready_inside, record, search
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def walk() -> Environment:
    return make.environment()


@pytest.fixture
def version(walk: Environment) -> Version:
    assert walk.current is not None
    return walk.current


@pytest.fixture
def play(walk: Environment, version: Version) -> Attempt:
    """From level 3: a reset and a no-op on the way, then lost in level 4."""
    record(walk)
    return make.play_internally(version, staff(Role.DESIGNER), [1, 0, *WALK[6:9], 4], level=3)


def test_the_gate_to_external_asks_for_plays_by_two_who_do_not_own_it(
    walk: Environment, version: Version
) -> None:
    ready_inside(walk)
    assert walk.owner == staff(Role.DESIGNER)
    move(walk, "internal", None, "")
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    enough = "with a completed level or a comment on how it ended"
    asked = f"2 of the team who do not own it have to play this version, each {enough}."
    make.play_internally(version, staff(Role.DESIGNER), WALK, Outcome.COMPLETED)
    leads = make.play_internally(version, staff(Role.LEAD), [2] * 90)
    assert card().blocks == (asked,), "ninety arrow keys are no play"
    Comment.objects.create(
        attempt=leads, seq=90, seconds=9, text="Nothing moves.", author=staff(Role.LEAD), created_at=now()
    )
    one_more = "1 more of the team who does not own it has to play this version,"
    assert card().blocks == (f"{one_more} {enough}. So far: lead.",)
    engineers = make.play_internally(version, staff(Role.ENGINEER), WALK[9:12], None, level=4)
    assert card().blocks == (), "also while the play goes on"
    made = move(walk, "external", staff(Role.LEAD), "")
    assert made.evidence["played"]["data"]["plays"]["engineer"] == engineers.pk
    newer_version(walk)
    walk.refresh_from_db()
    assert not any("own it" in block for block in card().blocks), "nothing is thrown back"
    move(walk, "internal", staff(Role.LEAD), "Level 2 bores.")
    assert card().blocks[0] == asked, "the new version was played by nobody"


def test_the_results_of_a_play_begin_on_its_first_level(play: Attempt) -> None:
    page = signed_in(Role.DESIGNER).get(reverse("insight:internal-play", args=[play.pk])).text
    assert "completed 1 level</h1>" in page
    rows = [row.split("</tr>")[0] for row in page.split('<th scope="row">')[1:]]
    assert [row.split("<")[0] for row in rows] == ["3", "4"]
    assert re.findall(r"<td.*?>(\w+)</td>", rows[0])[:3] == ["yes", "5", "3"]
    assert reverse("review:attempt", args=[play.pk]) + "#level=4" in rows[1]
    others = signed_in(Role.ENGINEER).get(reverse("insight:internal-play", args=[play.pk])).text
    assert "<h1>designer" in others
    assert "Play it yourself" in others
    assert signed_in(Role.PROCTOR).get(reverse("insight:internal-play", args=[play.pk])).status_code == 403


def test_the_studio_lists_plays_with_their_replays(play: Attempt) -> None:
    page = signed_in(Role.ENGINEER).get(reverse("studio:environment", args=["wk01"])).text
    part = page.split('id="played"')[1].split("<h2")[0]
    assert all(text in part for text in ("designer", "gave up", reverse("review:attempt", args=[play.pk])))
    assert "Internal plays are in no result about people." in part


def test_its_replay_and_files_say_that_it_is_internal(play: Attempt) -> None:
    client = signed_in(Role.DESIGNER)
    page = client.get(reverse("review:attempt", args=[play.pk])).text
    assert '<span class="tag">internal</span>' in page
    assert "played by designer: gave up, 1 level completed" in page
    assert "Counts as an attempt" not in page
    document = client.get(reverse("review:journal", args=[play.pk])).json()
    assert (document["played_by"], document["entries"][0]["level"]) == ("internal", 3)
    checked = client.post(reverse("review:check", args=[play.pk])).text
    assert "agrees with its record" in checked
    recording = client.get(reverse("review:recording", args=[play.pk]))
    assert f"-internal-{play.pk}.jsonl" in recording["Content-Disposition"]
    lines = [json.loads(line)["data"] for line in recording.text.splitlines()]
    assert {line["guid"] for line in lines} == {f"internal-{play.pk}"}
    assert "by designer (internal)" in client.get(reverse("review:attempt-exports", args=[play.pk])).text
    body = {"seq": 1, "seconds": 0.5, "text": "Why the pit?", "tags": ["lost"]}
    comments = reverse("review:comments", args=[play.pk])
    assert client.post(comments, body, content_type="application/json").status_code == 201


def test_its_replay_is_compared_with_people_and_never_stands_beside_theirs(play: Attempt) -> None:
    person = make.play(make.session(make.study()), WALK, Outcome.COMPLETED)
    client = signed_in(Role.LEAD)
    mine = client.get(reverse("review:others", args=[play.pk])).json()
    assert str(person.pk) in {one["with"] for one in mine["others"]}
    assert {one["with"] for one in mine["best"]} == {str(person.pk)}
    theirs = client.get(reverse("review:others", args=[person.pk])).json()
    assert str(play.pk) not in {one["with"] for one in theirs["others"]}


def test_who_may_not_play_sees_no_internal_play(play: Attempt) -> None:
    proctor = signed_in(Role.PROCTOR)
    for name in ("attempt", "journal", "others", "comments", "recording"):
        assert proctor.get(reverse(f"review:{name}", args=[play.pk])).status_code == 403


def test_a_play_is_kept_as_a_recording_that_plays_again(play: Attempt) -> None:
    designer, address = signed_in(Role.DESIGNER), reverse("review:keep", args=[play.pk])
    assert "Keep this play as a" in designer.get(reverse("review:attempt", args=[play.pk])).content.decode()
    designer.post(address)
    assert "recording_exists" in designer.post(address, follow=True).content.decode()
    stored = Recording.objects.get(name=f"play-{play.pk}")
    assert (stored.kind, stored.level, stored.seed) == ("loss", 3, play.seed)
    assert stored.actions == [[act, None, None] for act in [1, 0, *WALK[6:9], 4]]
    assert stored.levels_completed[-1] == 3
