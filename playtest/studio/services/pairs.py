"""Candidates that are too much alike: marked by who compared them, and taken back."""

from django.utils import timezone

from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, RedundantPair


def mark_redundant(one: Environment, other: Environment, words: str, by: Staff | None) -> RedundantPair:
    """Mark them, or say it in other words. RuleError: pair_of_one, words_missing."""
    if one.pk == other.pk:
        raise RuleError("pair_of_one", "Choose two different environments.")
    if not words.strip():
        raise RuleError("words_missing", "Say in what they are alike.")
    first, second = sorted((one, other), key=lambda environment: environment.pk)
    fields = {"words": words.strip(), "marked_by": by, "marked_at": timezone.now()}
    return RedundantPair.objects.update_or_create(first=first, second=second, defaults=fields)[0]


def unmark_redundant(one: Environment, other: Environment) -> None:
    """They are not too much alike after all."""
    first, second = sorted((one.pk, other.pk))
    RedundantPair.objects.filter(first=first, second=second).delete()
