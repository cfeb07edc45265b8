"""Reads which records of participants are known to belong to one person."""

from collections.abc import Collection

from django.db.models import QuerySet

from playtest.people.models import Participant, SamePerson
from playtest.rules.same_person import groups


def standing_links() -> QuerySet[SamePerson]:
    """The links that nobody has reversed."""
    return SamePerson.objects.filter(reversal__isnull=True)


def linked_records() -> dict[int, frozenset[int]]:
    """Every record that is linked now, with all records of its person."""
    return groups(standing_links().values_list("one", "other"))


def records_of(people: Collection[int]) -> dict[int, frozenset[int]]:
    """All records of each person, the given one among them."""
    linked = linked_records()
    return {person: linked.get(person, frozenset((person,))) for person in people}


def other_records(people: Collection[int]) -> dict[int, list[Participant]]:
    """The further records of each person, by pseudonym."""
    records = records_of(people)
    others = {pk for person, found in records.items() for pk in found if pk != person}
    named = list(Participant.objects.filter(pk__in=others).order_by("label")) if others else []
    return {
        person: [one for one in named if one.pk in found and one.pk != person]
        for person, found in records.items()
    }
