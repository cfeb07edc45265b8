"""`manage.py api_key`."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import key_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
