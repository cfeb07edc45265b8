"""Reads the links of a person's records and what they mean for attempts."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from playtest.people.models import Participant, SamePerson
from playtest.people.same_person import records_of
from playtest.play.models import Attempt
from playtest.play.sessions.quota import repeats


@dataclass(frozen=True)
class RepeatedAttempt:
    """An attempt that does not count, because its person had met the environment as `before`."""

    attempt: Attempt
    before: str


def links_of(person: Participant) -> QuerySet[SamePerson]:
    """Every link of any record of this person, also those that were reversed, newest first."""
    records = records_of([person.pk])[person.pk]
    links = SamePerson.objects.select_related("one", "other", "staff", "reversal__staff")
    return links.filter(Q(one__in=records) | Q(other__in=records)).order_by("-pk")


def repeated_attempts(person: Participant) -> list[RepeatedAttempt]:
    """The attempts under any record of this person on environments that another one had met before."""
    found = repeats()
    attempts = Attempt.objects.filter(pk__in=found, participant__in=records_of([person.pk])[person.pk])
    return [
        RepeatedAttempt(one, found[one.pk].before)
        for one in attempts.select_related("environment", "participant").order_by("assigned_at", "pk")
    ]
