"""Codes and seat tokens, of which only keyed hashes are stored."""

import secrets

from django.utils.crypto import constant_time_compare, salted_hmac

_SALT = "playtest.play.secrets"
"""Part of every stored hash: it can never change."""


def hashed(secret: str) -> str:
    """64 hex characters; useless without SECRET_KEY, equal for equal secrets."""
    return salted_hmac(_SALT, secret, algorithm="sha256").hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def matches(secret: str, stored: str) -> bool:
    return bool(stored) and constant_time_compare(hashed(secret), stored)
