"""Signing in and out."""

from ipaddress import ip_network
from typing import Any, cast

import pytest
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from playtest.people import sign_in
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import create_accounts
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SIGN_IN = "/staff/sign-in/"


@pytest.fixture
def passwords() -> dict[str, str]:
    cache.clear()
    return create_accounts({role.value: role for role in Role})


def try_to_sign_in(client: Client, name: str, password: str, **more: str) -> str:
    answer = client.post(SIGN_IN, {"username": name, "password": password, **more}, follow=True)
    return answer.content.decode()


def test_accounts_are_created_with_random_passwords_and_recorded(passwords: dict[str, str]) -> None:
    assert len(set(passwords.values())) == len(Role)
    for staff in Staff.objects.all():
        assert staff.password.startswith("argon2")
        assert staff.check_password(passwords[staff.username])
        assert staff.changes.get().kind == "created"


def test_signing_in_leads_to_the_home_of_the_role(passwords: dict[str, str]) -> None:
    client = Client()
    page = try_to_sign_in(client, "proctor", passwords["proctor"])
    assert "listed here" in page
    assert reverse("center:wall") in page
    assert client.get(SIGN_IN)["Location"] == reverse("people:home")
    assert client.session[sign_in.LAST_VISIT] is None
    again = Client()
    assert "since you signed in last" in try_to_sign_in(again, "proctor", passwords["proctor"])


def test_signing_in_leads_to_the_page_that_was_asked_for_unless_it_is_elsewhere(
    passwords: dict[str, str],
) -> None:
    home = reverse("people:home")
    for asked, place in (("/staff/stations/", "/staff/stations/"), ("https://elsewhere.example/", home)):
        form = {"username": "lead", "password": passwords["lead"], "next": asked}
        assert Client().post(SIGN_IN, form)["Location"] == place


@pytest.mark.parametrize("name", ["lead", "nobody"])
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(name: str, passwords: dict[str, str]) -> None:
    page = try_to_sign_in(Client(), name, "wrong")
    assert "invalid_login" in page
    assert "do not match" in page


@pytest.mark.services
def test_guessing_is_locked_with_a_sentence_and_a_code(passwords: dict[str, str]) -> None:
    client = Client()
    guesses = [
        client.post(SIGN_IN, {"username": "lead", "password": "wrong"})
        for _ in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert [guess.status_code for guess in guesses] == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    assert "sign_in_locked" in guesses[-1].content.decode()
    right = client.post(SIGN_IN, {"username": "lead", "password": passwords["lead"]})
    assert right.status_code == 429
    assert "proctor" in try_to_sign_in(client, "proctor", passwords["proctor"])


def guess(name: str, password: str = "wrong", **asked: Any) -> HttpResponse:
    return cast("HttpResponse", Client().post(SIGN_IN, {"username": name, "password": password}, **asked))


def test_one_persons_typing_errors_lock_nobody_else_at_the_same_address(passwords: dict[str, str]) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        guess("lead")
    assert guess("lead", passwords["lead"]).status_code == 429
    assert guess("proctor", passwords["proctor"]).status_code == 302
    assert guess("lead", passwords["lead"], REMOTE_ADDR="203.0.113.9").status_code == 302


def test_behind_a_trusted_proxy_each_client_has_tries_of_its_own(
    passwords: dict[str, str], settings: Any
) -> None:
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.5")]
    behind = {"REMOTE_ADDR": "10.0.0.5"}
    statuses = [
        guess("lead", HTTP_X_FORWARDED_FOR=f"10.9.9.{number}, 203.0.113.7", **behind).status_code
        for number in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert statuses[-1] == 429, "what a client writes in front does not give it another address"
    other = guess("lead", passwords["lead"], HTTP_X_FORWARDED_FOR="203.0.113.8", **behind)
    assert other.status_code == 302


def test_an_address_that_tries_many_names_is_locked_with_a_sentence_and_a_code(
    passwords: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "TRIES", 5)
    here = {"REMOTE_ADDR": "203.0.113.10"}
    assert {guess(f"name {number}", **here).status_code for number in range(5)} == {200}
    locked = guess("lead", passwords["lead"], **here)
    assert locked.status_code == 429
    assert "sign_in_address_locked" in locked.content.decode()
    assert guess("lead", passwords["lead"], REMOTE_ADDR="203.0.113.11").status_code == 302


def test_guesses_at_the_same_address_do_not_lock_out_a_browser_that_signed_in_before(
    passwords: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Client()
    right = {"username": "lead", "password": passwords["lead"]}
    assert own.post(SIGN_IN, right).status_code == 302
    own.post("/staff/sign-out/")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        guess("lead")
    monkeypatch.setattr(sign_in, "TRIES", 3)  # for all names: the address is over it
    assert guess("lead", passwords["lead"]).status_code == 429
    assert own.post(SIGN_IN, right).status_code == 302


def test_a_browser_that_signed_in_before_has_no_more_tries_than_others(passwords: dict[str, str]) -> None:
    own = Client()
    own.post(SIGN_IN, {"username": "lead", "password": passwords["lead"]})
    own.post("/staff/sign-out/")
    wrong = [
        own.post(SIGN_IN, {"username": "lead", "password": "wrong"}).status_code
        for _ in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert wrong == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    assert guess("proctor", passwords["proctor"]).status_code == 302


@pytest.mark.parametrize("value", ["", "x", "a:b:c", "W10:1:x"])
def test_a_forged_cookie_makes_no_browser_known(passwords: dict[str, str], value: str) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        guess("lead")
    client = Client()
    client.cookies["known-browser"] = value
    right = {"username": "lead", "password": passwords["lead"]}
    assert client.post(SIGN_IN, right).status_code == 429


def test_staff_can_sign_in_while_tries_cannot_be_counted(passwords: dict[str, str], settings: Any) -> None:
    backend = "playtest.serve.redis_outage.PatientCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    assert guess("lead", passwords["lead"]).status_code == 302


def test_signing_out_needs_a_form() -> None:
    client = signed_in(Role.LEAD)
    assert client.get("/staff/sign-out/").status_code == 405
    assert client.post("/staff/sign-out/")["Location"] == SIGN_IN
    assert client.get("/staff/sessions/").status_code == 302


def test_an_account_without_a_role_is_refused() -> None:
    newcomer = Staff.objects.create(username="newcomer")
    client = Client()
    client.force_login(newcomer, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get("/staff/")
    assert answer.status_code == 403
    assert "no role yet" in answer.content.decode()
