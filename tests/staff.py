"""Test clients of staff, one for each role."""

import re
from typing import Any

from django.test import Client

from playtest.people.models import Staff
from playtest.people.roles import Role

BACKEND = "django.contrib.auth.backends.ModelBackend"
_SPACE = re.compile(r"(<(pre|textarea|script)\b.*?</\2>)|\s+", re.DOTALL)


class Reader(Client):
    """Reads pages as a browser shows them: where their source begins a line, there is a space."""

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        if answer.get("Content-Type", "").startswith("text/html") and not answer.streaming:
            answer.content = _SPACE.sub(lambda found: found[1] or " ", answer.content.decode()).encode()
        return answer


def staff(role: Role) -> Staff:
    """Returns the one account of this role; the first call creates it."""
    return Staff.objects.get_or_create(username=role.value, defaults={"role": role})[0]


def signed_in(role: Role) -> Client:
    client = Reader()
    client.force_login(staff(role), backend=BACKEND)
    return client
