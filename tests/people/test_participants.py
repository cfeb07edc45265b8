"""Participants have pseudonyms and optional references."""

import re

import pytest
from django.db import IntegrityError

from playtest.people.models import Participant
from playtest.people.services import new_participant

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_pseudonyms_are_short_and_unique() -> None:
    labels = [new_participant().label for _ in range(50)]
    assert len(set(labels)) == 50
    assert all(re.fullmatch(r"P-[2-9A-HJKMNP-TV-Z]{5}", label) for label in labels)


@pytest.mark.services
def test_a_reference_belongs_to_one_person() -> None:
    new_participant("R-17")
    with pytest.raises(IntegrityError):
        new_participant("R-17")
    assert Participant.objects.count() == 1


def test_people_without_a_reference_are_different_people() -> None:
    assert new_participant() != new_participant()


def test_simulated_people_are_marked() -> None:
    assert new_participant(simulated=True).simulated
    assert not new_participant().simulated
