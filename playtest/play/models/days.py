"""Signed days: a signed list of the journal's heads at the end of each day."""

from django.db import models


class SignedDay(models.Model):
    """The heads of one UTC day (docs/journal.md). Triggers refuse every change.

    `document` is the very text that was signed: JSON with the day, the digest of the day before, and of every
    attempt that changed its number of entries, its last chain value and its seal. `digest` is the document's
    SHA-256 and `signature` its Ed25519 signature by `public_key` (64 and 32 bytes).
    """

    day = models.DateField(unique=True)
    document = models.TextField()
    digest = models.CharField(max_length=64)
    signature = models.BinaryField(max_length=64)
    public_key = models.BinaryField(max_length=32)
    signed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.day.isoformat()
