"""A study's data as rows, in the columns and the order that `review.codebook` declares."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched, groupby
from operator import itemgetter
from typing import Any

from django.db.models import Model
from django.utils.crypto import salted_hmac

from engine.errors import PayloadError
from playtest.people.models import Participant, Staff
from playtest.people.participants import linked_records
from playtest.play.journal.entries import frames_digest
from playtest.play.journal.masked import Restated, masks_of_attempts, restated_entries
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Debrief, Entry, Event, EventKind, InputKind, Session, Study
from playtest.play.sessions.events import reported_paints
from playtest.play.sessions.reads import COUNTED, PLAYED_AS_RECORDED, TASKS, whose
from playtest.review.codebook import (
    ATTEMPTS,
    COMMENTS,
    DECISIONS,
    EVENTS,
    FLAGS,
    OF_LEVELS,
    RESULTS,
    Table,
    tables_of,
)
from playtest.review.models import Comment, Flag
from playtest.review.queries.decisions import disclosed, waiting
from playtest.review.queries.exclusions import Exclusion, counts, exclusions
from playtest.review.queries.queue import under_review
from playtest.rules import results as rule
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.attempt import CUT_SHORT
from playtest.rules.lag import press_to_paint
from playtest.rules.survey import Question

type Row = tuple[Any, ...]

_ATTEMPTS_AT_ONCE, _JOURNALS_AT_ONCE = 100, 10
_PSEUDONYM_DIGITS = 16
STATE_HASH = "h"
"""How a state's hash begins, as pseudonyms do with the kind of who they name, so that none of them reads as
a number, such as 12e45678."""
_INPUTS = {kind.value: kind.name.lower() for kind in InputKind}


SESSIONS_WITHOUT_SURVEY = tables_of(())[0]


class Names:
    """Names of people in one study's data: keyed hashes, or their labels in identified data.

    Of a study from outside, what its source called people and rows, where that is known.
    """

    def __init__(self, study: Study, *, identified: bool) -> None:
        self.identified = identified
        self._salt = f"playtest.review.dataset.{study.pk}"
        named = study.outside_names.values_list("kind", "row", "name")
        self._outside = {(kind, row): name for kind, row, name in named.iterator()}
        self.renumbers = bool(self._outside)
        self._shuffled: dict[tuple[str, int], int] = {}
        self._first: dict[frozenset[int], Participant] = {}
        self._linked = linked_records()
        linked = study.sessions.filter(participant__in=self._linked).select_related("participant")
        for session in linked.order_by("pk"):
            self._first.setdefault(self._linked[session.participant_id], session.participant)

    def participant(self, person: Participant) -> str:
        return self._name("participant", person.pk, person.label)

    def person(self, record: Participant) -> str:
        """Of all records of a person the one that came first in this study, which is stable."""
        return self.participant(self._first.get(self._linked.get(record.pk, frozenset()), record))

    def staff(self, staff: Staff) -> str:
        return self._name("staff", staff.pk, staff.get_username())

    def number(self, kind: str, key: int) -> int:
        """The number of a row, as its source had it; `kind` is the column of the codebook."""
        number = int(self._outside.get((kind, key), key))
        return self._shuffled.get((kind, number), number)

    def shuffle(self, kind: str, numbers: Iterable[int]) -> dict[int, int]:
        """Gives rows other numbers from 1 on, in an order that only this installation's secret tells."""
        order = sorted(numbers, key=lambda number: self._hashed(kind, number))
        found = {number: place for place, number in enumerate(order, start=1)}
        self._shuffled |= {(kind, number): place for number, place in found.items()}
        return found

    def _name(self, kind: str, key: int, label: str) -> str:
        if outside := self._outside.get((kind, key)):
            return outside
        return label if self.identified else self._hashed(kind, key)

    def _hashed(self, kind: str, key: int) -> str:
        found = salted_hmac(self._salt, f"{kind}.{key}", algorithm="sha256").hexdigest()
        return kind[0] + found[:_PSEUDONYM_DIGITS]


def _row(table: Table, found: Model, **own: Any) -> Row:
    """The columns of a table: what is given, else the field of that name, of a relation its key."""
    fields = {field.name: field.attname for field in found._meta.concrete_fields}
    return tuple(
        own[name] if name in own else getattr(found, fields.get(name, name)) for name in table.column_names
    )


def sessions(study: Study, names: Names, questions: Sequence[Question]) -> Iterator[Row]:
    found = Session.objects.filter(study=study).select_related("participant", "consent", "survey", "protocol")
    for session in found.order_by("pk"):
        answers = session.survey.answers if session.survey else {}
        person, protocol = session.participant, session.protocol
        yield (
            *_row(
                SESSIONS_WITHOUT_SURVEY,
                session,
                session=session.pk,
                participant=names.participant(person),
                person=names.person(person),
                reference=(person.reference or None) if names.identified else None,
                simulated=person.simulated,
                protocol_version=protocol.number if protocol else None,
                protocol_digest=protocol.digest if protocol else None,
                consented_at=session.consent.given_at if session.consent else None,
            ),
            *(answers.get(question.name) for question in questions),
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """What results make of an attempt, in the columns of these names."""

    person: str
    environment: str
    version: str
    counts: bool
    in_baseline: bool
    under_review: bool
    cut_short: bool
    excluded: Exclusion | None

    def of_level(self, last_seq: int, *, completed: bool) -> Row:
        """The same of a level, from `person` to `cut_short`: where it ended before what is excluded."""
        included = self.excluded is None or last_seq < self.excluded.from_seq
        return (
            self.person,
            self.environment,
            self.version,
            self.counts and included,
            self.in_baseline and included and completed,
            self.under_review,
            self.cut_short and not completed,
        )


def standings(study: Study, names: Names) -> dict[int, Standing]:
    """How every attempt of the study that has ended stands."""
    ended = Attempt.objects.filter(session__study=study, ended_at__isnull=False)
    found = ended.filter(whose(study), PLAYED_AS_RECORDED, first_frame_at__isnull=False)
    counting = set(found.filter(counts()).values_list("pk", flat=True))
    in_results = set(found.exclude(TASKS).values_list("pk", flat=True))
    excluded, reviewed = exclusions(), under_review()
    standing = {}
    related = ended.select_related("participant", "environment", "version").defer("version__source")
    for attempt in related.iterator():
        left_out = excluded.sessions.get(attempt.session_pk) or excluded.attempts.get(attempt.pk)
        standing[attempt.pk] = Standing(
            names.person(attempt.participant),
            attempt.environment.code,
            attempt.version.digest,
            counts=attempt.pk in counting,
            in_baseline=attempt.pk in in_results and (left_out is None or left_out.from_seq > 0),
            under_review=attempt.session_pk in reviewed,
            cut_short=attempt.outcome in CUT_SHORT,
            excluded=left_out,
        )
    return standing


def attempts(attempt_ids: Sequence[int], names: Names, standing: Mapping[int, Standing]) -> Iterator[Row]:
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        found = Attempt.objects.filter(pk__in=part).select_related(
            "participant", "environment", "version", "outside"
        )
        counted = set(found.filter(COUNTED).values_list("pk", flat=True))
        for attempt in found.order_by("pk"):
            stands = standing[attempt.pk]
            yield _row(
                ATTEMPTS,
                attempt,
                attempt=attempt.pk,
                participant=names.participant(attempt.participant),
                kind=attempt.environment.kind,
                game_id=attempt.version.game_id,
                levels=attempt.version.levels,
                paused_seconds=attempt.paused.total_seconds(),
                granted_seconds=attempt.granted.total_seconds(),
                counted=attempt.pk in counted,
                excluded_from=stands.excluded.from_seq if stands.excluded else None,
                excluded_why=stands.excluded.reason if stands.excluded else None,
                seal=_seal(attempt),
                ratings=_ratings(attempt),
                **{name: getattr(stands, name) for name in OF_LEVELS},
            )


def _seal(attempt: Attempt) -> str | None:
    """The seal, if it is that of who observed the attempt: one that was made at an import is none."""
    outside = getattr(attempt, "outside", None)
    made_here = outside is not None and not outside.keeps_seal
    return None if attempt.seal is None or made_here else bytes(attempt.seal).hex()


def _ratings(attempt: Attempt) -> str | None:
    outside = getattr(attempt, "outside", None)
    return json.dumps(outside.ratings, sort_keys=True) if outside is not None and outside.ratings else None


def debriefs(attempt_ids: Sequence[int]) -> Iterator[Row]:
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        found = Debrief.objects.filter(attempt__in=part).order_by("attempt")
        yield from found.values_list("attempt_id", "difficulty", "about", "answered_at")


_ENTRY_COLUMNS = (
    "attempt_id seq action x y level levels_completed level_completed state available changed state_hash "
    "frame_count input_kind server_time client_time previous_paint_ms screen_age_ms "
    "queued_ms frames edit chain"
).split()
_STATE_HASH, _INPUT, _FRAMES, _CHAIN = map(
    _ENTRY_COLUMNS.index, ("state_hash", "input_kind", "frames", "chain")
)
_PREVIOUS_PAINT = _ENTRY_COLUMNS.index("previous_paint_ms")
_RESULT_COLUMNS = [
    _ENTRY_COLUMNS.index({"at": "server_time"}.get(name, name)) for name in rule.ResultEntry._fields
]


def journals(attempt_ids: Sequence[int]) -> Iterator[list[Row]]:
    """The entries of one attempt after another, as rows of the table `entries`.

    The entries of a few attempts are read whole before the first is given: see `attempt_film.turns`.
    """
    for part in batched(attempt_ids, _JOURNALS_AT_ONCE):
        found = Entry.objects.filter(attempt__in=part).order_by("attempt", "seq")
        rows = list(found.values_list(*_ENTRY_COLUMNS))
        reported = reported_paints(part)
        for attempt, journal in groupby(map(_entry, rows), itemgetter(0)):
            entries = list(journal)
            paints = press_to_paint([row[_PREVIOUS_PAINT] for row in entries], reported.get(attempt, {}))
            after = _PREVIOUS_PAINT + 1
            yield [(*row[:after], paint, *row[after:]) for row, paint in zip(entries, paints, strict=True)]


def _entry(stored: Row) -> Row:
    row = list(stored)
    row[_STATE_HASH] = STATE_HASH + bytes(stored[_STATE_HASH]).hex()
    row[_INPUT] = _INPUTS[stored[_INPUT]]
    row[_FRAMES] = _frames_digest(stored[_FRAMES])
    row[_CHAIN] = bytes(stored[_CHAIN]).hex()
    return tuple(row)


def _frames_digest(stored: bytes | memoryview) -> str | None:
    """The digest; None where the frames are damaged, so that the other columns are exported."""
    try:
        return frames_digest(inflate(stored))
    except PayloadError:
        return None


def level_results(
    journal: Sequence[Row],
    clocks: Mapping[int, Adjustments],
    standing: Standing | None = None,
    *,
    undo_counts: bool = True,
    restarts: bool = False,
) -> Iterator[Row]:
    """The levels one attempt reached, from its rows of the table `entries`; of a run without `standing`.

    `clocks` are those of the attempts in sessions that staff have paused; `undo_counts` is the
    protocol's; `restarts` as in `rules.results`.
    """
    attempt = journal[0][0]
    masks = masks_of_attempts([attempt])
    masked = restated_entries(attempt, masks.get(attempt))
    entries = (_result_entry(row, masked) for row in journal)
    for result in rule.level_results(entries, clocks.get(attempt, NO_ADJUSTMENTS), restarts=restarts):
        counted = result.counting(undo_counts=undo_counts)  # rates are of all actions
        yield (
            attempt,
            *(standing.of_level(result.last_seq, completed=result.completed) if standing else ()),
            *(getattr(counted if name in _COUNTED else result, name) for name in RESULTS),
        )


_COUNTED = {"actions", "actions_since_reset"}


def _result_entry(row: Row, masked: Restated) -> rule.ResultEntry:
    """As it is without masked cells."""
    seq, *facts, changed, state_hash, at = (row[index] for index in _RESULT_COLUMNS)
    seen = masked.get(seq, (changed, bytes.fromhex(state_hash.removeprefix(STATE_HASH))))
    return rule.ResultEntry._make((seq, *facts, *seen, at))


WRITTEN_BY_STAFF = {
    EventKind.PAUSED: "reason",
    EventKind.TIME_GRANTED: "reason",
    EventKind.STATION_CHANGED: "reason",
    EventKind.NOTE_ADDED: "text",
    EventKind.ATTEMPT_VOIDED: "text",
    EventKind.VOID_REVERSED: "text",
}
"""The detail of each kind of event that may name people. The `reason` of other kinds is a code."""


def events(study: Study, attempt_ids: Sequence[int], names: Names) -> Iterator[Row]:
    """The log of events of the study, without those of attempts that are still open."""
    ended = set(attempt_ids)
    found = Event.objects.filter(session__study=study).select_related("staff").order_by("pk")
    for event in found.iterator():
        if event.attempt_id is not None and event.attempt_id not in ended:
            continue
        hidden = None if names.identified else WRITTEN_BY_STAFF.get(EventKind(event.kind))
        details = {name: value for name, value in event.details.items() if name != hidden}
        who = None if event.staff is None else names.staff(event.staff)
        yield _row(EVENTS, event, event=event.pk, staff=who, details=json.dumps(details, sort_keys=True))


def flags(study: Study, names: Names) -> Iterator[Row]:
    def key(flag: Flag) -> tuple[int, int, str, float]:
        superseded = flag.superseded_at.timestamp() if flag.superseded_at else math.inf
        return flag.session_id, flag.attempt_id or 0, flag.rule, superseded

    # Databases disagree on where an empty attempt and a letter come in an order; the digest must not.
    for flag in sorted(Flag.objects.filter(session__study=study), key=key):
        thresholds = None if flag.thresholds is None else json.dumps(flag.thresholds, sort_keys=True)
        figures = dict(flag.figures)
        if names.renumbers and "moments" in figures:
            figures["moments"] = [[names.number("attempt", pk), seq] for pk, seq in figures["moments"]]
        yield _row(FLAGS, flag, thresholds=thresholds, figures=json.dumps(figures, sort_keys=True))


def decisions(study: Study, names: Names) -> Iterator[Row]:
    """Without those that wait for a second verdict: the second reviewer may read this file."""
    found = disclosed().filter(session__study=study).select_related("reviewer").order_by("pk")
    for decision in found:
        yield _row(
            DECISIONS,
            decision,
            decision=decision.pk,
            words=decision.explanation if names.identified else None,
            opened_by=decision.opened_by or None,
            reviewer=names.staff(decision.reviewer),
        )


def comments(attempt_ids: Sequence[int], names: Names) -> Iterator[Row]:
    """Without those in sessions that wait for a second verdict: the second reviewer may read this file."""
    asked = waiting().values("session")
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        found = Comment.objects.filter(attempt__in=part).exclude(attempt__session__in=asked)
        for comment in found.select_related("author").order_by("pk"):
            yield _row(
                COMMENTS,
                comment,
                comment=comment.pk,
                tags=json.dumps(comment.tags),
                text=comment.text if names.identified else None,
                author=names.staff(comment.author),
            )
