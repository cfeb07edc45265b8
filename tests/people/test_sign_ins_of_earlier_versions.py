"""What an upgrade does with sign-ins of an earlier version: `manage.py prepare` ends them."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.sign_ins import end_those_without_an_end

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_sign_ins_of_an_earlier_version_which_would_last_for_14_days_are_over() -> None:
    """They were made without an end; those of this version have one, and who is not signed in stays."""
    lead = Staff.objects.create_user("lead", password="only for this test", role=Role.LEAD)
    earlier, now, code = Client(), Client(), Client()
    earlier.force_login(lead)
    Session.objects.update(expire_date=timezone.now() + timedelta(days=14))
    now.post("/staff/sign-in/", {"username": "lead", "password": "only for this test"})
    held = code.session
    held["awaits"] = "a code"
    held.save()
    assert end_those_without_an_end() == 1
    assert earlier.get("/staff/").status_code == 302
    assert now.get("/staff/").status_code == 200
    assert Session.objects.filter(pk=held.session_key).exists()
