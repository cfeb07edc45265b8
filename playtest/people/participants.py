"""Recognises people who have been here before: by pseudonym, reference or e-mail, or by linked records."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import QuerySet

from playtest.people.models import Contact, Participant, SamePerson
from playtest.rules.same_person import groups

OUTSIDE = "X-"
"""How pseudonyms of people begin who were never here: they are in data from elsewhere."""


def key(text: str) -> str:
    """Equal for texts that differ in case and spaces only."""
    return "".join(text.split()).casefold()


class Directory:
    """All participants by what identifies them, read once; for one look-up as for a whole roster."""

    def __init__(self) -> None:
        self._names: defaultdict[str, set[int]] = defaultdict(set)
        self._emails = {key(email): pk for pk, email in Contact.objects.values_list("participant", "email")}
        self.references: dict[int, str] = {}
        self.labels: set[str] = set()
        here = Participant.objects.exclude(label__startswith=OUTSIDE)
        for pk, label, reference in here.values_list("pk", "label", "reference"):
            self.labels.add(label)
            self._names[key(label)].add(pk)
            if reference:
                self.references[pk] = reference
                self._names[key(reference)].add(pk)

    def named(self, name: str) -> set[int]:
        """Who has this pseudonym or reference; several if references differ in case or spaces only."""
        return self._names.get(key(name), set()) if key(name) else set()

    def reached_by(self, email: str) -> int | None:
        """Who has this address."""
        return self._emails.get(key(email))

    def find(self, text: str) -> set[int]:
        """Who has this pseudonym, reference or address."""
        found = self.reached_by(text)
        return self.named(text) | (set() if found is None else {found})


def find_participants(text: str) -> list[Participant]:
    """Who has this pseudonym, reference or address, whatever the case and the spaces."""
    return list(Participant.objects.filter(pk__in=Directory().find(text)).order_by("pk"))


def standing_links() -> QuerySet[SamePerson]:
    """The links that nobody has reversed."""
    return SamePerson.objects.filter(reversal__isnull=True)


type Linked = Mapping[int, frozenset[int]]
"""Records that are linked, each with all records of its person."""


def linked_records() -> Linked:
    """Every record that is linked now."""
    return groups(standing_links().values_list("one", "other"))


def names_of_persons(linked: Linked | None = None) -> dict[str, str]:
    """By the pseudonym of each further record of a person that of their first one, which stands for them.

    `linked` is given where it is known already.
    """
    linked = linked_records() if linked is None else linked
    labels = dict(Participant.objects.filter(pk__in=linked).values_list("pk", "label")) if linked else {}
    return {labels[pk]: labels[min(found)] for pk, found in linked.items() if pk != min(found)}


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
