"""Stores what people say of an environment after they have played it."""

from django.db import transaction

from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Debrief
from playtest.rules.debrief import Answers


def answer_debrief(attempt_id: int, answers: Answers) -> None:
    """The answers about an attempt, in place of those before; none at all removes them.

    Refusal: debrief_over.
    """
    with transaction.atomic():
        if not Attempt.objects.select_for_update(no_key=True).filter(pk=attempt_id).exists():
            raise Refusal("debrief_over", "These questions are no longer open.")  # consent was withdrawn
        if answers == Answers():
            Debrief.objects.filter(attempt_id=attempt_id).delete()
            return
        said = {"difficulty": answers.difficulty, "about": answers.about, "answered_at": now()}
        Debrief.objects.update_or_create(attempt_id=attempt_id, defaults=said)
