"""Sign-ins of staff as stored: which have no end of their own."""

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session


def without_an_end() -> list[Session]:
    """Sign-ins that would go on as long as they are used: earlier versions made them, for 14 days."""
    rows = [(one, one.get_decoded()) for one in Session.objects.all()]
    return [one for one, held in rows if SESSION_KEY in held and "_session_expiry" not in held]


def end_those_without_an_end() -> int:
    """Signs their people out; how many."""
    found = without_an_end()
    Session.objects.filter(pk__in=[one.pk for one in found]).delete()
    return len(found)
