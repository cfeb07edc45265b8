"""Keys: their secrets, sets and limits; and `manage.py api_key`."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import change_key, create_key, key_of, revoke_key
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
