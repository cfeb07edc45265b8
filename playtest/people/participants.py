"""Recognises people who have been here before: by pseudonym, reference or e-mail, or by linked records."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.db.models import QuerySet

from playtest.people.models import Contact, Participant, SamePerson
from playtest.rules.same_person import groups
from playtest.rules.sheets import as_number
from playtest.rules.text import clean_identity

OUTSIDE = "X-"
"""How pseudonyms of people begin who were never here: they are in data from elsewhere."""


class Directory:
    """All participants by what identifies them, read once; for one look-up as for a whole roster."""

    def __init__(self) -> None:
        self._names: defaultdict[str, set[int]] = defaultdict(set)
        emails = Contact.objects.values_list("participant", "email")
        self._emails = {clean_identity(email): pk for pk, email in emails}
        self._numbers: defaultdict[str, set[int]] = defaultdict(set)
        self.references: dict[int, str] = {}
        self.labels: set[str] = set()
        here = Participant.objects.exclude(label__startswith=OUTSIDE)
        for pk, label, reference in here.values_list("pk", "label", "reference"):
            self.labels.add(label)
            self._names[clean_identity(label)].add(pk)
            if reference:
                self.references[pk] = reference
                self._names[clean_identity(reference)].add(pk)
                for number in filter(None, as_number(reference)):
                    self._numbers[number].add(pk)

    def named(self, name: str) -> set[int]:
        """Who has this pseudonym or reference; several if references differ in form only.

        Linked records are one person: the first stands for them.
        """
        found = self._names.get(clean_identity(name) or "\0", set())
        return {min(linked_records().get(one, (one,))) for one in found} if len(found) > 1 else found

    def similar(self, reference: str) -> set[int]:
        """Whose reference a spreadsheet may have changed to this: without its zeros, or with an exponent."""
        digits, shortened = as_number(reference)
        return self._numbers.get(digits or shortened, set()) - self.named(reference)

    def shared(self) -> list[list[Participant]]:
        """Records that one name finds: one person twice, or two people whom no roster can tell apart."""
        linked = linked_records()
        several = (found for found in self._names.values() if len(found) > 1)
        apart = [sorted(found) for found in several if len({linked.get(one, one) for one in found}) > 1]
        people = Participant.objects.in_bulk({one for found in apart for one in found}) if apart else {}
        return [[people[one] for one in found] for found in apart]

    def reached_by(self, email: str) -> int | None:
        """Who has this address."""
        return self._emails.get(clean_identity(email))

    def find(self, text: str) -> set[int]:
        """Who has this pseudonym, reference or address."""
        found = self.reached_by(text)
        return self.named(text) | (set() if found is None else {found})


def find_participants(text: str) -> list[Participant]:
    """Who has this pseudonym, reference or address, whatever its form (`clean_identity`)."""
    return list(Participant.objects.filter(pk__in=Directory().find(text)).order_by("pk"))


def standing_links() -> QuerySet[SamePerson]:
    """The links that nobody has reversed."""
    return SamePerson.objects.filter(reversal__isnull=True)


type Linked = Mapping[int, frozenset[int]]
"""Records that are linked, each with all records of its person."""


_READ: ContextVar[list[Linked] | None] = ContextVar("links that were read", default=None)


def linked_records() -> Linked:
    """Every record that is linked now."""
    read = _READ.get()
    if read:
        return read[0]
    found: Linked = groups(standing_links().values_list("one", "other"))
    if read is not None:
        read.append(found)
    return found


@contextmanager
def links_read_once() -> Iterator[None]:
    """Within, `linked_records` asks once: many parts of one page need to know."""
    token = _READ.set([])
    try:
        yield
    finally:
        _READ.reset(token)


def first_records(linked: Linked | None = None) -> dict[int, int]:
    """By each further record of a person their first one, which stands for them in every count.

    `linked` is given where it is known already.
    """
    linked = linked_records() if linked is None else linked
    return {pk: min(found) for pk, found in linked.items() if pk != min(found)}


def names_of_persons(linked: Linked | None = None) -> dict[str, str]:
    """`first_records` by pseudonyms."""
    if not (first := first_records(linked)):
        return {}
    known = Participant.objects.filter(pk__in={*first, *first.values()})
    labels = dict(known.values_list("pk", "label"))
    return {labels[pk]: labels[one] for pk, one in first.items()}


def people_by[Key](rows: Iterable[tuple[Key, int]]) -> Counter[Key]:
    """How many people each key has, of rows with a key and a record: linked records are one person."""
    first = first_records()
    return Counter(key for key, _ in {(key, first.get(record, record)) for key, record in rows})


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
