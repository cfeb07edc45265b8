"""Finds keys by their secrets."""

from hashlib import sha256

from playtest.arena.models import ApiKey


def hash_of(secret: str) -> str:
    """The SHA-256 of a secret, as 64 hex characters. Secrets are random and long, so they need no salt."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def key_of(secret: str) -> ApiKey | None:
    """The key with this secret; None if there is none or it is revoked."""
    return ApiKey.objects.filter(key_hash=hash_of(secret), revoked_at=None).first()
