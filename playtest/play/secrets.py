"""Codes and seat tokens: made here, and only their keyed hashes are stored."""

import secrets

from django.utils.crypto import constant_time_compare, salted_hmac


def hashed(secret: str) -> str:
    """64 hex characters; useless without SECRET_KEY, equal for equal secrets."""
    return salted_hmac("playtest.play.secrets", secret, algorithm="sha256").hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def matches(secret: str, stored: str) -> bool:
    return bool(stored) and constant_time_compare(hashed(secret), stored)
