"""Members of staff who look at results."""

import pytest
from django.test import Client

from playtest.people.roles import Role
from tests.staff import signed_in


@pytest.fixture
def designer() -> Client:
    return signed_in(Role.DESIGNER)


@pytest.fixture
def lead() -> Client:
    return signed_in(Role.LEAD)


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)
