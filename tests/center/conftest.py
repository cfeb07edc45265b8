"""What tests of the center's pages share."""

import pytest
from django.test import Client

from playtest.people.roles import Role
from tests.staff import signed_in


@pytest.fixture
def proctor() -> Client:
    return signed_in(Role.PROCTOR)
