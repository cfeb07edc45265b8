"""Who is signed in on the page that opens a socket."""

from collections.abc import Mapping
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from playtest.people.models import Staff
from playtest.people.roles import Right


def staff_with_right(cookies: Mapping[str, str], right: Right) -> Staff | None:
    """The member of staff whose sign-in these cookies hold, if they have the right; otherwise None.

    Reads the database each time: it also notices who has signed out, or lost the role.
    """
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user if isinstance(user, Staff) and user.may(right) else None
