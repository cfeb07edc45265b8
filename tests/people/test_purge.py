"""Expired sign-ins and old tries to sign in are deleted; what is younger stays."""

from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from playtest.people.tasks import ACCESS_LOG_KEPT, purge

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_what_has_expired_is_purged() -> None:
    now = timezone.now()
    for name, end in (("old", now - timedelta(hours=1)), ("open", now + timedelta(hours=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=end)
    for name, age in (("old", ACCESS_LOG_KEPT + timedelta(days=1)), ("young", timedelta(days=1))):
        log = AccessLog.objects.create(username=name)
        AccessLog.objects.filter(pk=log.pk).update(attempt_time=now - age)
    purge()
    assert [one.session_key for one in Session.objects.all()] == ["open"]
    assert [one.username for one in AccessLog.objects.all()] == ["young"]
