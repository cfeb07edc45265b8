"""Sign-in with a second factor, who must have one, and what ends with it."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from playtest.people.access import staff_with_right
from playtest.people.models import AccountChange, Staff
from playtest.people.roles import Right, Role
from tests.staff import Reader, signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PASSWORD = "a long sentence of mine"
HOME, FACTOR, CODE = map(reverse, ("people:home", "people:second-factor", "people:second-step"))
SIGN_IN = reverse("people:sign-in")


@pytest.fixture
def lead() -> Staff:
    cache.clear()
    made = staff(Role.LEAD)
    made.set_password(PASSWORD)
    made.save()
    return made


def code_of(lead: Staff, later: int = 0) -> str:
    """The code that the app of this account shows, `later` periods from now."""
    device = TOTPDevice.objects.get(user=lead)
    found = TOTP(device.bin_key, drift=later)
    return f"{found.token():06}"


def set_up(lead: Staff) -> tuple[Client, list[str]]:
    """A browser in which the account has set up its factor, and its recovery codes."""
    client = signed_in(Role.LEAD)
    client.post(FACTOR, {"do": "begin"})
    shown = client.post(FACTOR, {"do": "confirm", "code": code_of(lead)})
    assert "They are shown only now" in shown.content.decode()
    return client, list(shown.context["codes"])


def after_password() -> Client:
    """A browser whose password was right."""
    client = Reader()
    answer = client.post(SIGN_IN, {"username": "lead", "password": PASSWORD, "next": "/staff/stations/"})
    assert answer["Location"].startswith(CODE)
    return client


def test_a_password_alone_signs_nobody_in_who_has_a_second_factor(lead: Staff) -> None:
    set_up(lead)
    client = after_password()
    assert client.get(HOME)["Location"].startswith(SIGN_IN)
    wrong = client.post(f"{CODE}?next=/staff/stations/", {"code": "000000"})
    assert "code_wrong" in wrong.content.decode()
    TOTPDevice.objects.update(throttling_failure_count=0)  # a second has passed
    answer = client.post(f"{CODE}?next=/staff/stations/", {"code": code_of(lead, later=1)})
    assert answer["Location"] == "/staff/stations/"
    assert client.get(HOME).status_code == 200


def test_a_code_is_used_once_and_a_foreign_address_is_not_followed(lead: Staff) -> None:
    set_up(lead)
    code = code_of(lead, later=1)
    answer = after_password().post(f"{CODE}?next=https://elsewhere.example/", {"code": code})
    assert answer["Location"] == HOME
    again = after_password().post(CODE, {"code": code})
    assert "code_wrong" in again.content.decode()


def test_a_recovery_code_is_used_once_and_recorded(lead: Staff) -> None:
    _, codes = set_up(lead)
    assert len(set(codes)) == 10
    assert after_password().post(CODE, {"code": codes[0].upper()})["Location"] == HOME
    assert AccountChange.objects.latest("pk").kind == "recovery"
    assert "code_wrong" in after_password().post(CODE, {"code": codes[0]}).content.decode()


@pytest.mark.services
def test_guessing_codes_is_locked_as_guessing_passwords_is(lead: Staff) -> None:
    set_up(lead)
    client = after_password()
    statuses = [client.post(CODE, {"code": "1234567"}).status_code for _ in range(8)]
    assert statuses == [200] * 7 + [429]
    right = {"username": "lead", "password": PASSWORD}
    assert Client().post(SIGN_IN, right).status_code == 429, "the name is locked at this address"


def test_wrong_codes_from_many_addresses_make_each_further_one_wait(lead: Staff) -> None:
    set_up(lead)
    for number in range(3):
        after_password().post(CODE, {"code": "000000"}, REMOTE_ADDR=f"203.0.113.{number}")
    device = TOTPDevice.objects.get(user=lead)
    assert device.throttling_failure_count >= 1
    device.throttling_failure_timestamp = (
        timezone.now()
    )  # the last code was a moment ago, however busy this machine is
    device.save()
    answer = after_password().post(CODE, {"code": code_of(lead, later=1)}, REMOTE_ADDR="203.0.113.9")
    assert "code_wrong" in answer.content.decode()


@pytest.mark.parametrize("change", ["password", "disabled", "late"])
def test_the_wait_for_a_code_ends(lead: Staff, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(lead)
    client = after_password()
    if change == "late":
        monkeypatch.setattr("playtest.people.second_factor.SECONDS_FOR_THE_CODE", -1)
        client = after_password()
    elif change == "password":
        lead.set_password("another long sentence")
        lead.save()
    else:
        Staff.objects.update(is_active=False)
    answer = client.post(CODE, {"code": code_of(lead, later=1)}, follow=True)
    assert answer.redirect_chain[-1][0].startswith(SIGN_IN)


def test_setting_up_needs_a_right_code_and_ends_the_other_sessions(lead: Staff) -> None:
    other = signed_in(Role.LEAD)
    client = signed_in(Role.LEAD)
    client.post(FACTOR, {"do": "begin"})
    page = client.get(FACTOR).content.decode()
    assert '<svg class="qr"' in page
    assert "code_wrong" in client.post(FACTOR, {"do": "confirm", "code": "1"}).content.decode()
    TOTPDevice.objects.update(throttling_failure_count=0)
    client.post(FACTOR, {"do": "confirm", "code": code_of(lead)})
    assert client.get(HOME).status_code == 200
    assert other.get(HOME)["Location"].startswith(SIGN_IN)
    assert '<svg class="qr"' not in client.get(FACTOR).content.decode(), "the secret is shown no more"


def test_replacing_needs_the_password(lead: Staff) -> None:
    client, _ = set_up(lead)
    wrong = client.post(FACTOR, {"do": "replace", "password": "wrong"})
    assert "password_wrong" in wrong.content.decode()
    assert client.post(FACTOR, {"do": "replace", "password": PASSWORD})["Location"] == FACTOR
    assert not TOTPDevice.objects.exists()
    assert [one.kind for one in lead.changes.order_by("pk")] == ["factor_set", "factor_removed"]


@pytest.mark.parametrize(("role", "needs"), [(Role.LEAD, True), (Role.RESEARCHER, False)])
def test_where_it_is_required_leads_set_it_up_before_anything_else(
    role: Role, needs: bool, settings: Any
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    client = signed_in(role)
    cookies = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    for address in (HOME, "/staff/attempts/", "/staff/search.json?q=a"):
        assert client.get(address).status_code == (302 if needs else 200)
    assert (staff_with_right(cookies, Right.WATCH_ATTEMPTS) is None) is needs, "sockets, too"
    page = client.get(FACTOR)
    assert ("Your role needs a second factor" in page.content.decode()) is needs
    assert bool(page.context["navigation"]) is not needs
    if needs:
        client.post(FACTOR, {"do": "begin"})
        client.post(FACTOR, {"do": "confirm", "code": code_of(staff(role))})
        assert client.get(HOME).status_code == 200


def test_a_sign_in_lasts_a_working_day_however_busy(lead: Staff) -> None:
    client = Client()
    began = timezone.now()
    client.post(SIGN_IN, {"username": "lead", "password": PASSWORD})
    client.get(HOME)
    ends = client.session.get_expiry_date()
    assert began + timedelta(hours=12) <= ends <= timezone.now() + timedelta(hours=12)
    assert settings.SESSION_COOKIE_AGE == 12 * 3600
    client.session.save()
    assert client.session.get_expiry_date() == ends
