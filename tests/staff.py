"""Test clients of staff, one for each role."""

from django.test import Client

from playtest.people.models import Staff
from playtest.people.roles import Role

BACKEND = "django.contrib.auth.backends.ModelBackend"


def staff(role: Role) -> Staff:
    """Returns the one account of this role; the first call creates it."""
    return Staff.objects.get_or_create(username=role.value, defaults={"role": role})[0]


def signed_in(role: Role) -> Client:
    client = Client()
    client.force_login(staff(role), backend=BACKEND)
    return client
