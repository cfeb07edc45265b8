"""Keys: their secrets, sets and limits, the command and the engineer's pages."""

import io
import json
import re
from datetime import date
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from playtest.arena.api.http import ApiError
from playtest.arena.api.turns import KnownKeys
from playtest.arena.management.commands.arena import new_key
from playtest.arena.models import ApiKey, KeyDay
from playtest.arena.runs.keys import (
    change_key,
    count_requests,
    create_key,
    key_of,
    local_key,
    revoke_key,
)
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.sessions.attempts import end_attempt
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import make
from tests.arena.scores import agents
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
        ("per_minute", "0", "greater than or equal to 1"),
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
    change, revoke = (reverse(f"arena:key-{verb}", args=[key.pk]) for verb in ("change", "revoke"))
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
    asked, _ = create_key("Asked")
    KeyDay.objects.create(key=asked, day=date(2026, 3, 5), requests=2)
    shown = page(engineer, "arena:keys")
    assert "3 API keys in use" in shown
    assert re.search(r"Asked …\w{4} public demonstration 600 \S+ \S+ UTC 2026-03-05 0 0 0 2 Idle", shown)
    assert re.search(r"Robot …abcd public demonstration 600 (\S+ \S+ UTC ){2}2 2 7 0 Old", shown)
    assert re.search(r"Idle …\w{4} public demonstration 600 \S+ \S+ UTC never 0 0 0 0 Robot", shown)


def test_a_keys_page_shows_its_cards_and_the_environments_that_it_saw(engineer: Client) -> None:
    card = agents.card("Robot", competition=True, sets=["private"])
    run = agents.run(card, ["1+"])
    run.environment.release_set = "public"
    run.environment.save()
    agents.closed(card, "idle")
    agents.run(agents.card("Another"), ["1"], "ck01")
    shown = page(engineer, "arena:key", card.key_id)
    assert "Robot saw 1 environment" in shown
    assert "Scorecards of this key" in shown
    listed = engineer.get(f"{reverse('arena:cards')}?q=robot").content.decode()
    assert re.search(r'title="[^"]*it was idle for 15 minutes[^"]*">closed<', listed)
    assert "Another" not in listed
    assert "wk01 none public demonstration 1 2 " in shown
    assert "ck01" not in shown


def test_the_page_lists_every_change_and_the_requests_of_each_day(engineer: Client) -> None:
    key, _ = create_key("Laboratory", ["public"], 60)
    change_key(key, sets=["private"], per_minute=7, staff=staff(Role.LEAD))
    for requests in ({key.pk: (3, 0)}, {key.pk: (40, 2)}):
        count_requests(date(2026, 11, 22), requests)
    revoke_key(key, staff(Role.ENGINEER))
    shown = page(engineer, "arena:key", key.pk)
    assert "2026-11-22 43 2" in shown
    changes = shown[shown.index("Changes to this key") :]
    found = re.findall(r"(created|changed|revoked) (engineer|lead|manage.py api_key)", changes)
    assert found == [("revoked", "engineer"), ("changed", "lead"), ("created", "manage.py api_key")]
    assert "lead fully private 7" in changes
    assert "manage.py api_key public demonstration 60" in changes
    assert " 43 " in page(engineer, "arena:keys")


@pytest.mark.once  # the threads of asynchronous code do not share the transaction of a test on PostgreSQL
def test_requests_are_counted_with_those_over_the_limit() -> None:
    key, secret = create_key("Laboratory", ["public"], 2)

    async def ask() -> list[int]:
        known, refused = KnownKeys(), 0
        for _ in range(5):
            try:
                await known.key_of(secret)
            except ApiError:
                refused += 1
        await known.requests.store()
        return [refused]

    assert async_to_sync(ask)() == [4]
    day = KeyDay.objects.get(key=key)
    assert (day.requests, day.refused) == (1, 4)


def test_a_secret_finds_its_key_and_is_stored_nowhere() -> None:
    key, secret = create_key("Laboratory", ["private", "public", "private"], 60, staff(Role.ENGINEER))
    create_key("Another")
    assert key_of(secret) == key
    stored = ApiKey.objects.values().get(pk=key.pk)
    assert secret not in str(stored)
    assert stored["hint"] == secret[-4:]
    assert stored["sets"] == ["public", "private"]
    assert (stored["per_minute"], stored["created_by_id"]) == (60, staff(Role.ENGINEER).pk)


@pytest.mark.parametrize("secret", ["", "1234", "\udc80", "a" * 100_000, "ключ"])
def test_what_is_no_key_finds_none(secret: str) -> None:
    create_key("Laboratory")
    assert key_of(secret) is None


def test_a_revoked_key_cannot_be_changed_or_revoked_again() -> None:
    key, _ = create_key("Laboratory")
    first = revoke_key(key, None).revoked_at
    with pytest.raises(Refusal, match="revoked") as again:
        revoke_key(key, staff(Role.ENGINEER))
    with pytest.raises(Refusal, match="revoked") as changed:
        change_key(key, sets=["private"], per_minute=1, staff=None)
    assert again.value.code == changed.value.code == "key_revoked"
    unchanged = ApiKey.objects.get()
    assert (unchanged.revoked_at, unchanged.revoked_by, unchanged.sets) == (first, None, ["public"])


@pytest.mark.parametrize(
    ("name", "sets", "per_minute", "code"),
    [
        (" \t", ["public"], 1, "name_missing"),
        ("x" * 101, ["public"], 1, "name_too_long"),
        ("Laboratory", [], 1, "set_missing"),
        ("Laboratory", ["public", "none"], 1, "set_unknown"),
        ("Laboratory", ["Public"], 1, "set_unknown"),
        ("Laboratory", ["public"], 0, "limit_invalid"),
        ("Laboratory", ["public"], 1_000_001, "limit_invalid"),
    ],
)
def test_bad_input_is_refused_and_creates_nothing(
    name: str, sets: list[str], per_minute: int, code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        create_key(name, sets, per_minute)
    assert (refused.value.code, refused.value.status) == (code, 400)
    assert not ApiKey.objects.exists()


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("api_key", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_a_key_is_for_the_public_set_and_600_requests_a_minute() -> None:
    key = key_of(printed("Laboratory").strip())
    assert key is not None
    assert (key.name, key.sets, key.per_minute) == ("Laboratory", ["public"], 600)


@pytest.mark.parametrize(
    "sets", [["--set", "semi_private", "public"], ["--set", "public", "--set", "semi_private"]]
)
def test_json_has_the_key_and_nothing_else(sets: list[str]) -> None:
    answer = json.loads(printed("Laboratory", *sets, "--per-minute", "30", "--json"))
    assert set(answer) == {"key"}
    key = key_of(answer["key"])
    assert key is not None
    assert (key.sets, key.per_minute) == (["public", "semi_private"], 30)


def test_an_unknown_set_is_a_coded_error_with_exit_status_1() -> None:
    with pytest.raises(CommandError, match="set_unknown: There is no set 'secret'") as failed:
        call_command("api_key", "Laboratory", "--set", "secret")
    assert failed.value.returncode == 1
    assert not ApiKey.objects.exists()


def test_the_command_of_the_arena_makes_a_key_once() -> None:
    assert [new_key(secret) for secret in ("f" * 20, "f" * 20, "")] == ["f" * 20, "", ""]


def test_a_chosen_key_works_and_is_refused_a_second_time(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    output = io.StringIO()
    call_command("api_key", "Starter", "--value", "test-key", stdout=output, stderr=io.StringIO())
    assert output.getvalue() == "test-key\n"
    found = key_of("test-key")
    assert found is not None
    assert found.name == "Starter"
    for value, code in (("test-key", "secret_taken"), (" blank", "secret_unsafe"), ("ü", "secret_unsafe")):
        with pytest.raises(CommandError, match=code):
            call_command("api_key", "Another", "--value", value)


def test_where_others_can_connect_a_chosen_key_is_long(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["center.example"]
    with pytest.raises(CommandError, match="secret_unsafe"):
        call_command("api_key", "Starter", "--value", "x" * 19)
    create_key("Starter", secret="x" * 20)
    assert key_of("x" * 20) is not None


def test_the_key_of_this_machine_is_one_and_a_lead_can_revoke_it() -> None:
    found = local_key()
    assert found is not None
    assert (local_key(), found.sets) == (found, ["public"])
    revoke_key(found, staff(Role.LEAD))
    assert local_key() is None


def test_the_engineer_puts_environments_into_a_set(engineer: Client) -> None:
    for code, release_set in (("wk01", "none"), ("ck01", "none"), ("cl01", "private")):
        Environment.objects.filter(pk=make.environment(code).pk).update(release_set=release_set)
    shown = page(engineer, "arena:keys")
    assert "In no set, so that no agent can play them" in shown
    address = reverse("arena:keys-sets")
    engineer.post(address, {"environments": ["wk01", "ck01"], "release_set": "public"})
    engineer.post(address, {"environments": ["cl01"], "release_set": "public"})
    sets = dict(Environment.objects.values_list("code", "release_set"))
    assert sets == {"wk01": "public", "ck01": "public", "cl01": "private"}
    assert "In no set" not in page(engineer, "arena:keys")
