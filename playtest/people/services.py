"""Participants and staff accounts."""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from playtest.people.models import Participant, Staff
from playtest.people.roles import Role

_PSEUDONYM_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_PSEUDONYM_LENGTH = 5
_PASSWORD_BYTES = 12


def new_participant(reference: str = "", simulated: bool = False) -> Participant:
    """Creates a participant with a random pseudonym. Raises IntegrityError if the reference is taken."""
    while True:
        label = "P-" + "".join(secrets.choice(_PSEUDONYM_ALPHABET) for _ in range(_PSEUDONYM_LENGTH))
        try:
            with transaction.atomic():
                return Participant.objects.create(
                    label=label, reference=reference, simulated=simulated, created_at=timezone.now()
                )
        except IntegrityError:
            if not Participant.objects.filter(label=label).exists():
                raise


def find_or_create_participant(reference: str) -> Participant:
    """The participant with the recruiter's reference, created if there is none."""
    if found := Participant.objects.filter(reference=reference).first():
        return found
    try:
        return new_participant(reference)
    except IntegrityError:
        return Participant.objects.get(reference=reference)


def create_missing_staff() -> dict[str, str]:
    """Creates an account named like each role; returns the new passwords, which are stored nowhere else."""
    present = set(Staff.objects.values_list("username", flat=True))
    passwords = {role.value: secrets.token_urlsafe(_PASSWORD_BYTES) for role in Role if role not in present}
    Staff.objects.bulk_create(
        Staff(username=name, role=name, password=make_password(password))
        for name, password in passwords.items()
    )
    return passwords
