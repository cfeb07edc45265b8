"""Collections: replays put together, in an order, with notes; next and previous from the replay page."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Collection, CollectionItem
from playtest.review.services.collections import add_item, create_collection, move_item
from tests import make
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def attempts(module_db: None) -> list[Attempt]:
    study = make.study()
    return [make.play(make.session(study), [4, 4, 4]) for _ in range(3)]


@pytest.fixture
def collection(attempts: list[Attempt]) -> Collection:
    """The three attempts at their first, second and third action."""
    made = create_collection(staff(Role.RESEARCHER), "First looks")
    for seq, attempt in enumerate(attempts, start=1):
        add_item(made.pk, attempt, seq, f"look {seq}")
    return made


def seqs(collection: Collection) -> list[int]:
    return [item.seq for item in collection.items.all()]


def collect(client: Client, attempt: Attempt, **body: Any) -> tuple[int, dict[str, Any]]:
    address = reverse("review:collect", args=[attempt.pk])
    answer = client.post(address, body, content_type="application/json")
    return answer.status_code, answer.json()


def test_a_replay_is_added_last_and_a_new_collection_can_be_made(
    researcher: Client, attempts: list[Attempt]
) -> None:
    status, added = collect(researcher, attempts[0], seq=2, name="  Odd   ones ", note="the detour")
    assert status == 201
    assert collect(researcher, attempts[1], seq=0, collection=added["collection"])[0] == 201
    made = Collection.objects.get()
    assert (made.name, made.author, seqs(made)) == ("Odd ones", staff(Role.RESEARCHER), [2, 0])
    assert made.items.get(seq=2).note == "the detour"
    choices = researcher.get(reverse("review:collection-choices")).json()["collections"]
    assert choices == [{"id": made.pk, "name": "Odd ones", "size": 2}]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"seq": 0, "name": " "}, 400, "collection_unnamed"),
        ({"seq": 0, "name": "x" * 101}, 400, "collection_unnamed"),
        ({"seq": 0, "name": "First looks"}, 409, "name_taken"),
        ({"seq": 0, "collection": 999}, 404, "collection_unknown"),
        ({"seq": 4, "name": "new"}, 400, "moment_unknown"),
        ({"seq": 0, "name": "new", "note": "x" * 201}, 400, "note_too_long"),
        ({"name": "new"}, 400, "malformed_request"),
    ],
    ids=str,
)
def test_invalid_requests_about_collections_are_refused(
    researcher: Client,
    collection: Collection,
    attempts: list[Attempt],
    body: dict[str, Any],
    status: int,
    code: str,
) -> None:
    found, answer = collect(researcher, attempts[0], **body)
    assert (found, answer["code"]) == (status, code)
    assert CollectionItem.objects.count() == 3
    assert Collection.objects.count() == 1


@pytest.mark.services
def test_items_move_up_and_down_and_stop_at_the_ends(collection: Collection) -> None:
    first, _, last = collection.items.all()
    move_item(last, -1)
    assert seqs(collection) == [1, 3, 2]
    move_item(last, -1)
    move_item(last, -1)
    assert seqs(collection) == [3, 1, 2]
    for _ in range(3):
        move_item(first, 1)
    assert seqs(collection) == [3, 2, 1]


def test_the_page_of_a_collection_reorders_notes_and_takes_out(
    researcher: Client, collection: Collection
) -> None:
    first, second, third = collection.items.all()

    def do(item: CollectionItem, command: str, **more: str) -> str:
        address = reverse("review:collection-item", args=[item.pk])
        return researcher.post(address, {"command": command, **more}, follow=True).content.decode()

    do(third, "up")
    do(first, "down")
    assert seqs(collection) == [3, 1, 2]
    assert 'value="watch the corner"' in do(second, "note", note="watch the corner")
    assert "note_too_long" in do(second, "note", note="x" * 201)
    assert "malformed_request" in do(second, "explode")
    page = do(first, "remove")
    assert seqs(collection) == [3, 2]
    assert "First looks: 2 replays" in page


def test_a_collection_is_renamed_by_anyone_and_deleted_by_its_author(
    researcher: Client, collection: Collection
) -> None:
    address = reverse("review:collection", args=[collection.pk])
    other = signed_in(Role.LEAD)
    assert "Second looks" in other.post(address, {"name": "Second looks"}, follow=True).content.decode()
    assert "collection_not_yours" in other.post(address, {"command": "delete"}, follow=True).content.decode()
    create_collection(staff(Role.LEAD), "Taken")
    assert "name_taken" in other.post(address, {"name": "Taken"}, follow=True).content.decode()
    assert "Taken" in researcher.post(address, {"command": "delete"}, follow=True).content.decode()
    assert [found.name for found in Collection.objects.all()] == ["Taken"]
    assert Attempt.objects.count() == 3


def test_the_replay_page_leads_to_the_next_and_the_previous(
    researcher: Client, collection: Collection
) -> None:
    first, second, third = collection.items.all()

    def page(item: CollectionItem) -> str:
        address = reverse("review:attempt", args=[item.attempt_id])
        return researcher.get(f"{address}?a={item.seq}&item={item.pk}").content.decode()

    def link(item: CollectionItem) -> str:
        address = reverse("review:attempt", args=[item.attempt_id])
        return f'href="{address}?a={item.seq}&amp;item={item.pk}"'

    assert "2 of 3: look 2" in page(second)
    assert f'rel="prev" {link(first)}' in page(second)
    assert f'rel="next" {link(third)}' in page(second)
    assert 'rel="prev"' not in page(first)
    assert 'rel="next"' not in page(third)


@pytest.mark.parametrize("item", ["x", "9" * 40, "²"])
def test_an_item_that_is_gone_leaves_the_replay_alone(
    researcher: Client, attempts: list[Attempt], item: str
) -> None:
    answer = researcher.get(reverse("review:attempt", args=[attempts[0].pk]), {"item": item})
    assert answer.status_code == 200
    assert "collection-place" not in answer.content.decode().replace("collections.css", "")
