"""Effort flags of running sessions reach the wall in a few words."""

from typing import Any

import pytest
from django.utils import timezone

from playtest.center.wall.facts import flags_of
from playtest.review.models import Flag, Strength
from playtest.review.queries.effort import LABELS
from playtest.rules.effort import Rule
from tests.review.cases import hasty, study_with_people

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_wall_says_in_words_what_the_rules_found(django_assert_num_queries: Any) -> None:
    study = study_with_people()
    one, other = hasty(study), hasty(study)
    calm = study.sessions.exclude(pk__in=[one.pk, other.pk]).first()
    assert calm is not None
    with django_assert_num_queries(1):
        found = flags_of([one.pk, other.pk, calm.pk])
    assert (
        found[one.pk] == found[other.pk] == ["too fast", "actions without effect", "one key again and again"]
    )
    assert calm.pk not in found


def test_notes_and_superseded_flags_are_not_on_the_wall() -> None:
    session = hasty(study_with_people())
    Flag.objects.filter(session=session, rule=Rule.FAST).update(superseded_at=timezone.now())
    Flag.objects.filter(session=session, rule=Rule.REPEATS).update(strength=Strength.NOTE)
    assert flags_of([session.pk])[session.pk] == ["actions without effect"]


def test_every_rule_that_opens_a_review_has_words() -> None:
    assert set(LABELS) == set(Rule) - {Rule.AWAY, Rule.CUT_OFF}
