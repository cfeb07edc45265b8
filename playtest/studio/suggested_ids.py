"""Ids for new environments that look like no word and are free."""

import secrets

from playtest.studio.models import Environment

_LETTERS = "bcdfghjkmnpqrstvwxz"
_DIGITS = "23456789"
_TRIES = 20


def suggested_id() -> str:
    """Two consonants and two digits, which no environment has; empty if none is found soon."""
    made = {
        "".join(secrets.choice(letters) for letters in (_LETTERS, _LETTERS, _DIGITS, _DIGITS))
        for _ in range(_TRIES)
    }
    taken = set(Environment.objects.filter(code__in=made).values_list("code", flat=True))
    return next(iter(made - taken), "")
