"""The replay of a run: the same page as for a person, with the agent's name and without a session."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people import roles
from playtest.people.roles import Right, Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.arena.runs.played import PIT, on_a_card, write_run
from tests.arena.runs.test_usage import HARNESS
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def version() -> Version:
    environment = make.environment()
    environment.title = "The walker's secret"
    environment.save()
    assert environment.current is not None
    return environment.current


@pytest.fixture
def run(version: Version) -> Attempt:
    found = write_run(version, [PIT, 0, 4, 4, 4, 2], notes={1: json.dumps(HARNESS), 3: "to the right"})
    on_a_card(found)
    return found


@pytest.fixture
def person(version: Version) -> Attempt:
    return make.play(make.session(make.study()), WALK, Outcome.COMPLETED)


@pytest.fixture
def client() -> Client:
    return signed_in(Role.RESEARCHER)


def page(client: Client, name: str, attempt: Attempt) -> str:
    answer = client.get(reverse(f"review:{name}", args=[attempt.pk]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_page_names_the_agent_and_what_it_used(client: Client, run: Attempt) -> None:
    shown = page(client, "attempt", run)
    assert "run by Nimble: scorecard closed, 1 of 6 levels completed" in " ".join(shown.split())
    assert "1,200" in shown
    assert "0.0020" in shown
    assert "with 1 of 6 actions" in shown
    for absent in ("/staff/sessions/1", "Counts as an attempt", "secret", "Voided", "None"):
        assert absent not in shown


def test_a_run_without_a_card_or_usage_says_so(client: Client, version: Version) -> None:
    shown = page(client, "attempt", write_run(version, [4], Outcome.FAULT, fault_code="raised"))
    assert "run by an agent" in shown
    assert "sent no usage or cost" in shown
    assert "Environment fault" in shown
    assert "Acknowledge" not in shown


def test_its_time_line_ends_with_the_end_of_the_run(client: Client, run: Attempt) -> None:
    document = client.get(reverse("review:journal", args=[run.pk])).json()
    assert [(one["kind"], one["details"]["outcome"]) for one in document["events"]] == [
        ("attempt_ended", "card_closed")
    ]
    assert len(document["entries"]) == 7


def test_comments_films_verification_and_recordings_work_as_for_people(client: Client, run: Attempt) -> None:
    address = reverse("review:comments", args=[run.pk])
    body = {"seq": 1, "seconds": 0.5, "text": "Why the pit?", "tags": ["lost"]}
    assert client.post(address, body, content_type="application/json").status_code == 201
    assert [one["text"] for one in client.get(address).json()["comments"]] == ["Why the pit?"]
    assert "by Nimble" in page(client, "attempt-exports", run)
    checked = client.post(reverse("review:check", args=[run.pk])).content.decode()
    assert "agrees with its record" in checked
    lines = client.get(reverse("review:recording", args=[run.pk])).content.decode().splitlines()
    assert [json.loads(line)["data"]["action_input"]["id"] for line in lines][:3] == [
        "RESET",
        "ACTION1",
        "RESET",
    ]


def test_a_run_in_a_collection_is_listed_by_its_agent(client: Client, run: Attempt) -> None:
    client.post(reverse("review:collections"), {"name": "Pits"})
    number = client.get(reverse("review:collection-choices")).json()["collections"][0]["id"]
    body = {"collection": number, "seq": 1}
    answer = client.post(reverse("review:collect", args=[run.pk]), body, content_type="application/json")
    assert answer.status_code in (200, 201)
    assert "by Nimble" in client.get(reverse("review:collection", args=[number])).content.decode()


def test_people_and_runs_are_compared_both_ways(client: Client, run: Attempt, person: Attempt) -> None:
    beside_a_person = client.get(reverse("review:others", args=[person.pk])).json()
    assert [(one["with"], one["agent"]) for one in beside_a_person["others"]] == [(str(run.pk), True)]
    assert beside_a_person["others"][0]["label"] == "Nimble: scorecard closed, 1 of 6 levels"
    beside_a_run = client.get(reverse("review:others", args=[run.pk])).json()
    assert [(one["with"], one["agent"]) for one in beside_a_run["others"]] == [(str(person.pk), False)]
    assert {one["with"] for one in beside_a_run["best"]} == {str(person.pk)}, "the best runs are people's"


def test_the_chosen_run_is_found_beyond_the_newest(
    client: Client, version: Version, person: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playtest.review.queries.comparisons.MOST_RUNS", 1)
    older, newer = write_run(version, [4]), write_run(version, [4])
    address = reverse("review:others", args=[person.pk])
    assert [one["with"] for one in client.get(address).json()["others"]] == [str(newer.pk)]
    found = client.get(address, {"with": older.pk}).json()["others"]
    assert [one["with"] for one in found] == [str(newer.pk), str(older.pk)]
    assert len(client.get(address, {"with": "recording"}).json()["others"]) == 1


def test_notes_come_in_blocks_as_they_were_sent(client: Client, version: Version) -> None:
    run = write_run(version, [2] * 70, notes={1: "first", 63: '{"a": NaN', 64: json.dumps(HARNESS), 70: ""})
    address = reverse("arena:run-notes", args=[run.pk])
    first = client.get(address).json()["notes"]
    assert [(one["seq"], one["reasoning"], one["usage"]) for one in first] == [
        (1, "first", None),
        (63, '{"a": NaN', None),
    ]
    (second,) = client.get(address, {"block": 1}).json()["notes"]
    assert (second["seq"], second["usage"]["total_tokens"], second["usage"]["total_cost"]) == (
        64,
        1280,
        0.002,
    )
    assert client.get(address, {"block": 2}).json() == {"notes": []}
    wrong = client.get(address, {"block": "-1"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "block_unknown")


def test_a_persons_attempt_has_no_notes(client: Client, person: Attempt) -> None:
    assert client.get(reverse("arena:run-notes", args=[person.pk])).status_code == 404


OF_A_RUN = ("attempt", "journal", "others", "comments", "recording", "attempt-exports", "picture")


def test_whoever_may_not_read_boards_sees_nothing_of_runs(
    client: Client, run: Attempt, person: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = roles.RIGHTS[Role.RESEARCHER] - {Right.READ_BOARDS}
    monkeypatch.setitem(roles.RIGHTS, Role.RESEARCHER, without)
    addresses = [reverse(f"review:{name}", args=[run.pk]) for name in OF_A_RUN]
    addresses.append(reverse("arena:run-notes", args=[run.pk]))
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(
        addresses, 403
    )
    assert client.get(reverse("review:attempt", args=[person.pk])).status_code == 200
    assert client.get(reverse("review:others", args=[person.pk])).json()["others"] == []


def test_an_engineer_watches_runs_and_nothing_of_people(run: Attempt, person: Attempt) -> None:
    """With the right to read boards alone: no attempt of a person, no list of them, no file of the run."""
    engineer = signed_in(Role.ENGINEER)
    shown = page(engineer, "attempt", run)
    assert "Download recording" not in shown
    assert "Collect" not in shown
    assert "collections" not in shown
    watched = [reverse(f"review:{name}", args=[run.pk]) for name in ("journal", "comments", "others")]
    watched.append(reverse("arena:run-notes", args=[run.pk]))
    assert {engineer.get(address).status_code for address in watched} == {200}
    beside = engineer.get(reverse("review:others", args=[run.pk]))
    assert (beside.json()["best"], beside.json()["others"]) == ([], [])
    for name in OF_A_RUN:
        assert engineer.get(reverse(f"review:{name}", args=[person.pk])).status_code == 403
        assert engineer.get(reverse(f"review:{name}", args=[10**9])).status_code == 403, "no number tells"
    assert engineer.get(reverse("review:attempts")).status_code == 403
    assert engineer.get(reverse("review:recording", args=[run.pk])).status_code == 403
