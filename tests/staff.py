"""Staff as test clients, one for each role."""

from django.test import Client

from playtest.people.models import Staff
from playtest.people.roles import Role


def staff(role: Role) -> Staff:
    """The one account of this role, made when first asked for."""
    return Staff.objects.get_or_create(username=role.value, defaults={"role": role})[0]


def signed_in(role: Role) -> Client:
    client = Client()
    client.force_login(staff(role), backend="django.contrib.auth.backends.ModelBackend")
    return client
