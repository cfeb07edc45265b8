"""Leads make, change and disable accounts; each change is recorded, and each link works once."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from playtest.people import accounts
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from tests.staff import BACKEND, Reader, signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGE, HOME, SIGN_IN, OWN = (
    reverse(f"people:{name}") for name in ("accounts", "home", "sign-in", "own-account")
)
NEW = {"new_password1": "a long sentence of mine", "new_password2": "a long sentence of mine"}


@pytest.fixture(autouse=True)
def no_limits() -> None:
    cache.clear()


def link_in(page: str) -> str:
    found = re.search(r'value="http://testserver(/staff/password/[^"]+)"', page)
    assert found
    return found[1]


def made(name: str = "ann", role: Role = Role.PROCTOR) -> tuple[Staff, str]:
    """A new account, and its link."""
    page = signed_in(Role.LEAD).post(PAGE, {"name": name, "role": role}).content.decode()
    return Staff.objects.get(username=name), link_in(page)


def page_of(account: Staff) -> str:
    return reverse("people:account", args=[account.pk])


def changed(account: Staff, do: str, client: Client | None = None, **fields: str) -> Any:
    return (client or signed_in(Role.LEAD)).post(page_of(account), {"do": do, **fields}, follow=True)


def kinds(account: Staff) -> list[str]:
    return [one.kind for one in account.changes.order_by("pk")]


def follow(link: str, client: Client | None = None, **form: str) -> Any:
    """Sets a password at a link."""
    client = client or Reader()
    answer = client.get(link)
    return client.post(answer["Location"], form or NEW) if answer.status_code == 302 else answer


def test_a_new_account_sets_its_password_by_a_link_that_works_once() -> None:
    ann, link = made()
    assert not ann.has_usable_password()
    two = Reader()
    late = two.get(link)["Location"]
    assert follow(link)["Location"] == SIGN_IN
    for answer in (follow(link), two.post(late, NEW)):
        assert answer.status_code == 410
        assert "link_expired" in answer.content.decode()
    client = Reader()
    signed = client.post(SIGN_IN, {"username": "ann", "password": NEW["new_password1"]}, follow=True)
    assert "Nothing waits for you" in signed.content.decode()
    assert kinds(ann) == ["created", "password"]
    with pytest.raises(RuleError, match="password_set"):
        accounts.link_of(Staff.objects.get(pk=ann.pk))


def test_a_link_expires_and_a_new_one_voids_it() -> None:
    ann, first = made()
    second = link_in(changed(ann, "password").content.decode())
    assert follow(first).status_code == 410
    with time_machine.travel(timezone.now() + timedelta(hours=49)):
        assert follow(second).status_code == 410
    assert follow(second)["Location"] == SIGN_IN


@pytest.mark.parametrize("who", ["x", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5"])
def test_an_invented_link_is_refused(who: str) -> None:
    assert follow(f"/staff/password/{who}/a-b/").status_code == 410


def test_a_link_sets_no_weak_password() -> None:
    _, link = made()
    weak = follow(link, new_password1="short", new_password2="short")
    assert "password_too_short" in weak.content.decode()


def test_resetting_takes_the_old_password_and_its_sessions() -> None:
    proctor = staff(Role.PROCTOR)
    client = signed_in(Role.PROCTOR)
    changed(proctor, "password")
    assert client.get(HOME)["Location"].startswith(SIGN_IN)


@pytest.mark.parametrize("do", ["disable", "sign-out"])
def test_disabling_and_signing_out_end_all_sessions(do: str) -> None:
    proctor = staff(Role.PROCTOR)
    clients = [signed_in(Role.PROCTOR), signed_in(Role.PROCTOR)]
    changed(proctor, do)
    if do == "disable":
        changed(proctor, "enable")
    assert {client.get(HOME).status_code for client in clients} == {302}
    assert signed_in(Role.PROCTOR).get(HOME).status_code == 200
    assert kinds(proctor) == (["disabled", "enabled"] if do == "disable" else ["signed_out"])


def test_a_disabled_account_has_no_link() -> None:
    ann, link = made()
    changed(ann, "disable")
    assert follow(link).status_code == 410
    assert "account_disabled" in changed(ann, "password").content.decode()


def test_a_role_is_replaced_and_rights_follow_at_once() -> None:
    proctor = staff(Role.PROCTOR)
    client = signed_in(Role.PROCTOR)
    assert client.get("/staff/review/").status_code == 403
    changed(proctor, "", role=Role.RESEARCHER)
    assert client.get("/staff/review/").status_code == 200
    assert proctor.changes.get().detail == "Proctor → Researcher"


def test_a_name_is_stored_as_the_form_to_sign_in_reads_it() -> None:
    signed_in(Role.LEAD).post(PAGE, {"name": "\N{LATIN SMALL LIGATURE FI}ona", "role": Role.PROCTOR})
    assert Staff.objects.filter(username="fiona").exists()


def test_every_name_is_used_once_whatever_its_capitals() -> None:
    made("ann")
    page = signed_in(Role.LEAD).post(PAGE, {"name": "Ann", "role": Role.LEAD}).content.decode()
    assert "name_taken" in page
    assert "invalid" in signed_in(Role.LEAD).post(PAGE, {"name": "a b", "role": Role.LEAD}).content.decode()


@pytest.mark.parametrize("do", ["disable", "password", "factor", "sign-out", ""])
def test_nobody_changes_their_own_account_there(do: str) -> None:
    lead = staff(Role.LEAD)
    assert "own_account" in changed(lead, do, role=Role.PROCTOR).content.decode()
    assert Staff.objects.get(pk=lead.pk).role == Role.LEAD


def test_who_lost_the_right_meanwhile_changes_nothing() -> None:
    lead, other = staff(Role.LEAD), Staff.objects.create(username="other", role=Role.LEAD)
    accounts.disable(lead, other.pk)
    with pytest.raises(RuleError, match="right_missing"):
        accounts.disable(other, lead.pk)
    with pytest.raises(RuleError, match="right_missing"):
        accounts.create(other, "friend", Role.LEAD)


def test_the_record_of_changes_cannot_be_changed() -> None:
    ann, _ = made()
    for write in (lambda: ann.changes.update(kind="role"), lambda: ann.changes.all().delete()):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            write()
    page = signed_in(Role.LEAD).get(reverse("people:account-changes")).content.decode()
    assert "made the account: Proctor" in page


def test_the_own_password_needs_the_old_one_and_ends_other_sessions() -> None:
    lead = staff(Role.LEAD)
    lead.set_password("the old sentence")
    lead.save()
    client, other = signed_in(Role.LEAD), signed_in(Role.LEAD)
    wrong = client.post(OWN, {"old_password": "wrong", **NEW})
    assert "password_incorrect" in wrong.content.decode()
    assert client.post(OWN, {"old_password": "the old sentence", **NEW})["Location"] == OWN
    assert client.get(HOME).status_code == 200
    assert other.get(HOME).status_code == 302
    assert [client.post(OWN, {"old_password": "wrong", **NEW}).status_code for _ in range(8)][-1] == 429


def test_signing_oneself_out_ends_every_session() -> None:
    client, other = signed_in(Role.PROCTOR), signed_in(Role.PROCTOR)
    assert client.post(OWN, {"do": "sign-out"})["Location"] == SIGN_IN
    assert {client.get(HOME).status_code, other.get(HOME).status_code} == {302}


def test_an_administrator_of_the_command_line_has_a_home_and_makes_accounts() -> None:
    call_command("createsuperuser", username="root", email="", interactive=False, verbosity=0)
    client = Reader()
    client.force_login(Staff.objects.get(username="root"), backend=BACKEND)
    assert "This account has no role" in client.get(HOME).content.decode()
    assert "It is shown only now" in client.post(PAGE, {"name": "ann", "role": Role.LEAD}).content.decode()


def test_the_page_says_when_a_third_reviewer_is_missing() -> None:
    assert "1 of 3 reviewers" in signed_in(Role.LEAD).get(PAGE).content.decode()
    made("r2", Role.RESEARCHER)
    made("r3", Role.RESEARCHER)
    assert "of 3 reviewers" not in signed_in(Role.LEAD).get(PAGE).content.decode()
