"""What a person has met: the one place that reads it, under all records that are known to be theirs."""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from playtest.people.same_person import linked_records, records_of
from playtest.play.models import Attempt


def met(participant_id: int) -> Collection[int]:
    """The environments that this person has met, in any session and any version."""
    return met_by([participant_id])[participant_id]


def met_by(people: Collection[int], but: Collection[int] = ()) -> dict[int, set[int]]:
    """The environments that each of these people has met, without what they met in the sessions `but`."""
    records = records_of(people)
    by_record: defaultdict[int, set[int]] = defaultdict(set)
    rows = Attempt.objects.filter(participant__in={pk for found in records.values() for pk in found})
    for record, environment in rows.exclude(session__in=but).values_list("participant", "environment"):
        by_record[record].add(environment)
    return {person: {one for pk in found for one in by_record[pk]} for person, found in records.items()}


class Repeat(NamedTuple):
    """An attempt on an environment that the person had met as `before`, another pseudonym of theirs."""

    session: int
    before: str


def repeats() -> dict[int, Repeat]:
    """The attempts that are not their person's first on the environment, by attempt."""
    linked = linked_records()
    if not linked:
        return {}
    first: dict[tuple[frozenset[int], int], str] = {}
    found: dict[int, Repeat] = {}
    rows = Attempt.objects.filter(participant__in=linked).order_by("assigned_at", "pk")
    for attempt, session, record, label, environment in rows.values_list(
        "pk", "session", "participant", "participant__label", "environment"
    ):
        before = first.setdefault((linked[record], environment), label)
        if before != label:
            found[attempt] = Repeat(session, before)
    return found
