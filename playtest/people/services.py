"""Participants and staff accounts."""

import secrets
from collections.abc import Mapping, Sequence

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from playtest.people.accounts import record
from playtest.people.models import AccountChange, Participant, Staff
from playtest.people.participants import OUTSIDE
from playtest.people.roles import Role

_PSEUDONYM_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_PSEUDONYM_LENGTH = 5
_HERE = "P-"
_PASSWORD_BYTES = 12


def new_participant(reference: str = "", simulated: bool = False) -> Participant:
    """Creates a participant with a random pseudonym. Raises IntegrityError if the reference is taken."""
    while True:
        label = _pseudonym()
        try:
            with transaction.atomic():
                return Participant.objects.create(
                    label=label, reference=reference, simulated=simulated, created_at=timezone.now()
                )
        except IntegrityError:
            if not Participant.objects.filter(label=label).exists():
                raise


def new_participants(
    references: Sequence[str], *, outside: bool = False, simulated: bool = False
) -> list[Participant]:
    """Creates a participant for each reference ("" for none). Raises IntegrityError if one is taken.

    `outside`: they were never here, so their pseudonyms say so and nobody is matched with them.
    """
    taken = set(Participant.objects.values_list("label", flat=True))
    labels: list[str] = []
    while len(labels) < len(references):
        if (label := _pseudonym(OUTSIDE if outside else _HERE)) not in taken:
            taken.add(label)
            labels.append(label)
    return Participant.objects.bulk_create(
        Participant(label=label, reference=reference, simulated=simulated, created_at=timezone.now())
        for label, reference in zip(labels, references, strict=True)
    )


def _pseudonym(prefix: str = _HERE) -> str:
    return prefix + "".join(secrets.choice(_PSEUDONYM_ALPHABET) for _ in range(_PSEUDONYM_LENGTH))


@transaction.atomic
def create_accounts(roles: Mapping[str, Role]) -> dict[str, str]:
    """Creates accounts by name; returns their passwords, which are stored nowhere else."""
    passwords = {name: secrets.token_urlsafe(_PASSWORD_BYTES) for name in roles}
    for name, password in passwords.items():
        made = Staff.objects.create(username=name, role=roles[name], password=make_password(password))
        record(made, None, AccountChange.Kind.CREATED, roles[name].label)
    return passwords
