"""Marks a pair of candidates as redundant, and stores what a second person says of it."""

from django.db import transaction
from django.utils import timezone

from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.redundancy import check_answer, standing
from playtest.rules.text import storable
from playtest.studio.models import Environment, RedundancyAnswer, RedundancyMark

LONGEST_REASON = 2_000


def mark_redundant(one: Environment, other: Environment, reason: str, by: Staff | None) -> RedundancyMark:
    """Claims that two environments are redundant.

    RuleError: pair_of_one, reason_missing; marked_already while another mark of the pair is in force.
    """
    if one.pk == other.pk:
        raise RuleError("pair_of_one", "Choose two different environments.")
    reason = _reason(reason, "Say in what they are alike.")
    first, second = sorted((one.pk, other.pk))
    with transaction.atomic():
        # Two people who mark the same pair at once take turns here.
        list(Environment.objects.select_for_update().filter(pk__in=(first, second)).order_by("pk"))
        for mark in RedundancyMark.objects.filter(first=first, second=second):
            if standing(_answers(mark)).in_force:
                raise RuleError("marked_already", "They are marked: read why, and agree or lift the mark.")
        return RedundancyMark.objects.create(
            first_id=first, second_id=second, reason=reason, marked_by=by, marked_at=timezone.now()
        )


def set_apart(one: Environment, other: Environment, reason: str, by: Staff) -> RedundancyAnswer:
    """Stores that somebody compared a pair, because it is measured to be alike, and holds it to differ.

    RuleError: pair_of_one, reason_missing, marked_already.
    """
    with transaction.atomic():
        mark = mark_redundant(one, other, "They are measured to be among the most alike.", None)
        return answer(mark, reason, by, agrees=False)


def answer(mark: RedundancyMark, reason: str, by: Staff, *, agrees: bool) -> RedundancyAnswer:
    """Another person agrees to a mark, or lifts it. RuleError: own_mark, answered_already, reason_missing."""
    with transaction.atomic():
        locked = RedundancyMark.objects.select_for_update().get(pk=mark.pk)
        now = standing(_answers(locked))
        check_answer(now, agrees=agrees, marked_by=locked.marked_by_id, by=by.pk)
        return RedundancyAnswer.objects.create(
            mark=locked,
            agrees=agrees,
            reason=_reason(reason, "Say why you agree." if agrees else "Say what makes them different."),
            answered_by=by,
            answered_at=timezone.now(),
        )


def _answers(mark: RedundancyMark) -> list[bool]:
    return list(mark.answers.values_list("agrees", flat=True))


def _reason(reason: str, what_to_say: str) -> str:
    reason = reason.strip()[:LONGEST_REASON]
    if not reason or not storable(reason):
        raise RuleError("reason_missing", what_to_say)
    return reason
