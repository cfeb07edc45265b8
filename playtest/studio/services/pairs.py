"""Marks and unmarks pairs of candidates as redundant."""

from django.utils import timezone

from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, RedundantPair


def mark_redundant(one: Environment, other: Environment, reason: str, by: Staff | None) -> RedundantPair:
    """Marks a pair, or changes its reason. RuleError: pair_of_one, reason_missing."""
    if one.pk == other.pk:
        raise RuleError("pair_of_one", "Choose two different environments.")
    if not reason.strip():
        raise RuleError("reason_missing", "Say in what they are alike.")
    first, second = sorted((one, other), key=lambda environment: environment.pk)
    fields = {"reason": reason.strip(), "marked_by": by, "marked_at": timezone.now()}
    return RedundantPair.objects.update_or_create(first=first, second=second, defaults=fields)[0]


def unmark_redundant(one: Environment, other: Environment) -> None:
    """Removes the mark from a pair."""
    first, second = sorted((one.pk, other.pk))
    RedundantPair.objects.filter(first=first, second=second).delete()
