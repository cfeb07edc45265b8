"""The engineer's pages of API keys."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from playtest.arena.models import ApiKey
from playtest.arena.queries.keys import key_of
from playtest.arena.services.keys import create_key, revoke_key
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.services.attempts import end_attempt
from playtest.rules.attempt import Outcome
from tests.arena.scores import agents
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

NEW = {"name": "Laboratory", "sets": ["public", "private"], "per_minute": "60"}


@pytest.fixture
def engineer() -> Client:
    return signed_in(Role.ENGINEER)


def page(client: Client, name: str, *arguments: int) -> str:
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_a_created_key_is_shown_once_and_works(engineer: Client) -> None:
    answer = engineer.post(reverse("arena:key-new"), NEW | {"form_token": "a"}, HTTP_HOST="localhost:8123")
    shown = answer.content.decode()
    secret = re.search(r'id="secret"[^>]* value="([^"]+)"', shown)
    assert secret is not None
    key = key_of(secret[1])
    assert key is not None
    assert (key.name, key.sets, key.per_minute) == ("Laboratory", ["public", "private"], 60)
    assert key.created_by == staff(Role.ENGINEER)
    assert "ARC_BASE_URL=http://localhost:8123\n" in shown
    assert f"ARC_API_KEY={secret[1]}" in shown
    assert "no-store" in answer["Cache-Control"]
    for name, arguments in (("arena:keys", ()), ("arena:key", (key.pk,))):
        assert secret[1] not in page(engineer, name, *arguments)


def test_a_form_sent_twice_creates_one_key_and_shows_no_secret_again(engineer: Client) -> None:
    engineer.post(reverse("arena:key-new"), NEW | {"form_token": "a"})
    again = engineer.post(reverse("arena:key-new"), NEW | {"form_token": "a"})
    assert again["Location"] == reverse("arena:key", args=[ApiKey.objects.get().pk])


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "  ", "This field is required."),
        ("sets", [], "Choose at least one set."),
        ("sets", ["none"], "Select a valid choice."),
        ("per_minute", "0", "greater than or equal to 1"),
        ("per_minute", "many", "Enter a whole number."),
    ],
)
def test_bad_input_is_shown_beside_its_field_and_creates_nothing(
    engineer: Client, field: str, value: object, sentence: str
) -> None:
    answer = engineer.post(reverse("arena:key-new"), NEW | {field: value})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert 'value="60"' in answer.content.decode() or field == "per_minute"
    assert not ApiKey.objects.exists()


def test_sets_and_limit_can_be_changed_until_the_key_is_revoked(engineer: Client) -> None:
    key, secret = create_key("Laboratory")
    change, revoke = (reverse(f"arena:key-{deed}", args=[key.pk]) for deed in ("change", "revoke"))
    engineer.post(change, {"sets": ["semi_private"], "per_minute": "5"})
    key.refresh_from_db()
    assert (key.sets, key.per_minute) == (["semi_private"], 5)
    assert engineer.post(change, {"sets": [], "per_minute": "5"}).status_code == 400
    engineer.post(revoke)
    assert key_of(secret) is None
    refused = engineer.post(change, {"sets": ["public"], "per_minute": "5"}, follow=True)
    assert "(key_revoked)" in refused.content.decode()
    key.refresh_from_db()
    assert key.sets == ["semi_private"]
    assert key.revoked_by == staff(Role.ENGINEER)
    shown = page(engineer, "arena:key", key.pk)
    assert "Laboratory is revoked" in shown
    assert "Revoke key" not in shown


def test_the_list_shows_what_each_key_was_used_for(engineer: Client) -> None:
    assert "There are no API keys yet" in page(engineer, "arena:keys")
    run = agents.run(agents.card("Robot"), ["1+", "11"])
    end_attempt(run.plays.get(number=1).attempt_id, Outcome.RESTARTED, now())
    agents.run(agents.card("Robot"), ["111"], "ck01")
    ApiKey.objects.update(sets=["public"])
    revoke_key(create_key("Old")[0], None)
    create_key("Idle")
    shown = page(engineer, "arena:keys")
    assert "2 API keys in use" in shown
    assert re.search(r"Robot …abcd public demonstration 600 (\S+ \S+ UTC ){2}2 2 7 Old", shown)
    assert re.search(r"Idle …\w{4} public demonstration 600 \S+ \S+ UTC never 0 0 0 Robot", shown)


def test_a_keys_page_shows_its_cards_and_the_environments_that_it_saw(engineer: Client) -> None:
    card = agents.card("Robot", competition=True, sets=["private"])
    run = agents.run(card, ["1+"])
    run.environment.release_set = "public"
    run.environment.save()
    agents.closed(card, "idle")
    agents.run(agents.card("Another"), ["1"], "ck01")
    shown = page(engineer, "arena:key", card.key_id)
    assert "Robot saw 1 environment" in shown
    assert f"{card.card_id} competition fully private 1 2 " in shown
    assert "it was idle for 15 minutes" in shown
    assert "wk01 none public demonstration 1 2 " in shown
    assert "ck01" not in shown
