"""The owner of a key reads what the API may tell of its own cards, and shows a card to others by a link."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from playtest.arena.models import Board, Disclosure, Scorecard
from playtest.arena.pages.owners import COOKIE, TRIES
from playtest.arena.runs.custody import refusal_of_entry
from playtest.arena.runs.keys import revoke_key
from playtest.arena.runs.owners import owner_says
from playtest.arena.scores.boards import enter
from playtest.arena.scores.card_scores import default_reading
from playtest.studio.models import Environment
from tests import make
from tests.arena.runs.played import on_a_card, write_run
from tests.arena.scores import agents

pytestmark = [pytest.mark.django_db, pytest.mark.once]

OWN, OTHER = "Mine", "Somebody else"
"""Keys of `agents.card`, whose secrets are their names."""


def played(key: str = OWN, release_set: str = "public", written: str = "bb+", **fields: object) -> Scorecard:
    environment = make.environment()
    environment.release_set = release_set
    environment.save()
    card = agents.card(key, sets=[release_set], **fields)
    agents.run(card, [written])
    return card


def watched(**fields: object) -> Scorecard:
    """A closed card whose run has frames."""
    environment = make.environment()
    assert environment.current is not None
    Environment.objects.update(release_set="public")
    return agents.closed(on_a_card(write_run(environment.current, [4, 4, 4]), agents.card(OWN, **fields)))


def address(card: Scorecard) -> str:
    return f"/scorecards/{card.card_id}"


def owner(key: str = OWN) -> Client:
    client = Client()
    assert client.post(reverse("arena:own-key"), {"key": key}).status_code == 302
    return client


def text(client: Client, at: str, status: int = 200) -> str:
    answer = client.get(at)
    assert answer.status_code == status, answer
    return answer.content.decode()


def change(client: Client, card: Scorecard, kind: str, mark: str = "") -> None:
    client.post(f"{address(card)}/change", {"change": kind, "text": mark})


def test_the_address_that_harnesses_print_asks_for_the_key_and_then_shows_the_card() -> None:
    card = agents.closed(played(tags=["first try"]))
    client = Client()
    assert "Enter the API key" in text(client, address(card), 403)
    entered = client.post(reverse("arena:own-key"), {"key": OWN, "card": str(card.card_id)})
    assert entered["Location"] == address(card)
    cookie = client.cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/scorecards", True, "Lax")
    assert OWN not in cookie.value
    shown = text(client, address(card))
    assert "first try" in shown
    assert "Replay 1" in shown
    assert Disclosure.objects.count() == 1
    assert client.get(reverse("people:home")).status_code == 302, "it opens nothing of staff"
    client.post(reverse("arena:own-key-leave"))
    text(client, address(card), 403)


def test_wrong_keys_are_limited_and_right_ones_are_not() -> None:
    cache.clear()
    agents.card(OWN)
    for _ in range(TRIES + 2):
        owner()
    guesses = [Client().post(reverse("arena:own-key"), {"key": "guess"}) for _ in range(TRIES + 1)]
    assert [one.status_code for one in guesses] == [403] * (TRIES + 1)
    assert b"key_unknown" in guesses[0].content
    assert b"too_many_tries" in guesses[-1].content
    cache.clear()


def test_cards_of_another_key_and_unknown_ones_answer_alike() -> None:
    card = agents.closed(played(OTHER, tags=["secret tag"]))
    agents.card(OWN)
    client = owner()
    answers = [text(client, one, 404) for one in (address(card), f"/scorecards/{make_id()}")]
    assert all("No scorecard of the key Mine has this id." in one for one in answers)
    assert not any(OTHER in one or "secret tag" in one for one in answers)
    assert "secret tag" not in text(client, "/scorecards/")
    change(client, card, "withdrawn")
    assert not owner_says([card.pk])[card.pk].withdrawn


def make_id() -> str:
    return "00000000-0000-4000-8000-000000000000"


def test_of_private_sets_an_owner_reads_the_total_of_a_closed_card_and_no_more() -> None:
    card = played(release_set="private", competition=True)
    client, run = owner(), card.runs.get()
    assert "its score is told when it is closed" in text(client, address(card))
    assert "when closed" in text(client, "/scorecards/")
    assert not Disclosure.objects.exists()
    shown = text(client, address(agents.closed(card)))
    assert "a scorecard tells its total alone" in shown
    assert "wk01" not in shown
    assert "%" in shown
    text(client, f"{address(card)}/replays/{run.guid}/1", 404)
    text(client, f"{address(card)}/replays/{run.guid}/1/journal.json", 404)


def test_of_private_sets_a_comparison_tells_the_score_of_each_cards_page_whatever_is_asked_for() -> None:
    cards = [agents.closed(played(release_set="private", written=written)) for written in ("bb+", "b+b+b+")]
    address = "/scorecards/compare?card={}&card={}&variant=second_best&undo=no".format(
        *(card.card_id for card in cards)
    )
    sides = owner().get(address).context["sides"]
    assert [side["score"].reading for side in sides] == [default_reading(card) for card in cards]


def test_a_replay_of_a_public_set_has_nothing_of_people_or_staff() -> None:
    card = watched()
    client, run = owner(), card.runs.get()
    at = f"{address(card)}/replays/{run.guid}/1"
    assert f'src="{at}/journal.json"' in text(client, at)
    document = client.get(f"{at}/journal.json").json()
    assert (document["fewest"], document["events"], len(document["entries"])) == ([], [], 4)
    assert client.get(f"{at}/notes.json").json() == {"notes": []}
    Environment.objects.update(release_set="private")
    text(client, f"{at}/journal.json", 404)


def test_a_link_shows_one_card_until_it_is_taken_back() -> None:
    card = watched(opaque={"plan": "of my own"})
    client, anyone = owner(), Client()
    change(client, card, "shared")
    first = owner_says([card.pk])[card.pk].link
    shown = text(anyone, f"/scorecards/shared/{first}")
    assert "Score" in shown
    assert "…abcd" not in shown, "the last characters of the key"
    assert "of my own" not in shown
    run = card.runs.get()
    text(anyone, f"/scorecards/shared/{first}/replays/{run.guid}/1/journal.json")
    text(anyone, f"/scorecards/shared/{first[:-1]}", 404)
    text(anyone, address(card), 403)
    change(client, card, "shared")
    second = owner_says([card.pk])[card.pk].link
    assert second != first
    text(anyone, f"/scorecards/shared/{first}", 404)
    change(client, card, "unshared")
    text(anyone, f"/scorecards/shared/{second}", 404)
    change(client, card, "shared")
    third = owner_says([card.pk])[card.pk].link
    revoke_key(card.key, None)
    text(anyone, f"/scorecards/shared/{third}", 404)
    text(client, address(card), 403)


def test_a_withdrawn_card_is_marked_has_no_link_and_enters_no_board() -> None:
    card = agents.closed(played(competition=True))
    client = owner()
    change(client, card, "shared")
    change(client, card, "marked", " a  fault ")
    change(client, card, "withdrawn")
    says = owner_says([card.pk])[card.pk]
    assert (says.mark, says.withdrawn, says.link) == ("a fault", True, "")
    refused = refusal_of_entry(Board.COMMUNITY, card)
    assert refused is not None
    assert refused.code == "card_withdrawn"
    change(client, card, "shared")
    assert owner_says([card.pk])[card.pk].link == ""
    change(client, card, "restored")
    enter(card, Board.COMMUNITY, None, agent="A", description="D", code_url="https://example.org/a")
    change(client, card, "withdrawn")
    assert not owner_says([card.pk])[card.pk].withdrawn, "who is on a board asks its operator"


def test_cards_are_found_by_words_tags_and_state_and_two_are_compared() -> None:
    first = agents.closed(played(tags=["small"], source_url="https://example.org/parser"))
    second = played(tags=["large"], written="b+b+b+")
    client = owner()
    assert "2 scorecards of Mine" in text(client, "/scorecards/")
    for query in ("q=parser", "tag=small", "state=closed", f"q={str(first.card_id)[:8]}"):
        assert "1 scorecard of Mine" in text(client, f"/scorecards/?{query}"), query
    compared = text(client, f"/scorecards/compare?card={first.card_id}&card={second.card_id}")
    assert "wk01" in compared
    assert "small" in compared
    other = agents.closed(played(OTHER))
    alone = client.get(f"/scorecards/compare?card={first.card_id}&card={other.card_id}")
    assert alone["Location"] == "/scorecards/"
