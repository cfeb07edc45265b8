"""Stores plays from elsewhere as ordinary attempts of a study from outside."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from django.db import connection, transaction

from engine.errors import PayloadError
from engine.play.turns import WIN
from playtest.insight.outside.members import Beside
from playtest.insight.outside.replaying import Replayed, Skipped
from playtest.people.models import Participant, Staff
from playtest.people.services import new_participants
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal.entries import Provenance, new_entry, seal_after, start_of
from playtest.play.journal.sql import insert_entries
from playtest.play.models import Attempt, OutsideAttempt, OutsideStudy, Session, SessionEnd, Study
from playtest.play.sessions.studies import change_study, create_study, freeze_protocol
from playtest.rules.attempt import Outcome
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Environment

_UNKNOWN = Provenance()
_AS_PLAYED = (
    "name", "digest", "dialect", "guid", "differs_from", "unproven", "as_arcengine", "full_resets",
    "left_out", "last_line",
)  # fmt: skip
_LONGEST_PERSON = 100
_PROTOCOL = replace(DEFAULT, survey=(), review_share=0.0)
"""The rule of attempts is the usual one; nobody was asked, and nothing is drawn for a review."""


def outside_study(
    name: str, environments: Collection[Environment], staff: Staff | None, *, source: str, licence: str = ""
) -> Study:
    """The study from outside of this name, made if there is none, with these environments in its pool.

    Refusal: name_taken, if people were or can be seated in it; environments_missing; as `create_study`.
    """
    if not environments:
        message = "None of the environments of this data is here: import them first, then the data."
        raise Refusal("environments_missing", message)
    study = Study.objects.filter(name=name).first()
    if study is None:
        with transaction.atomic():
            study = create_study(
                staff, name=name, pool=environments, protocol=_PROTOCOL, open=False, outside=True
            )
            freeze_protocol(study)
            OutsideStudy.objects.create(
                study=study, source=source, licence=licence, imported_at=now(), imported_by=staff
            )
        return Study.objects.get(pk=study.pk)
    if not study.is_outside:
        raise Refusal("name_taken", f"“{name}” is a study of this center: give the data another name.")
    pool = {*study.pool.all()}
    if not pool >= {*environments}:
        change_study(study, pool=[*(pool | {*environments})], staff=staff, reason="More data were imported.")
        freeze_protocol(study)
    return study


def known_digests(study: Study) -> frozenset[str]:
    """The digests of the plays that the study has."""
    stored = OutsideAttempt.objects.filter(attempt__session__study=study)
    return frozenset(stored.values_list("digest", flat=True))


def store(
    study: Study, played: Replayed, beside: Beside, environments: Mapping[str, Environment]
) -> Attempt | Skipped:
    """Stores one play with its journal, in one transaction; the play is left out if its person has another.

    A play whose data names nobody has a person of its own. A recording that ends without a win is given up.
    """
    person = beside.people.get(played.name, "")[:_LONGEST_PERSON]
    times = _times(played, beside.started.get(played.name, ""))
    with transaction.atomic():
        session = _session(study, person, times[0], times[-1])
        environment = environments[played.code]
        others = Attempt.objects.filter(participant=session.participant_id)
        if others.filter(environment=environment).exists():
            message = "person_played_before: another play of this person at the environment is stored."
            transaction.set_rollback(True)
            return Skipped(played.name, message)
        attempt = Attempt.objects.create(
            session=session, participant_id=session.participant_id, environment=environment,
            version_id=played.version, number=others.count() + 1, seed=0, assigned_at=times[0],
            first_frame_at=times[0],
        )  # fmt: skip
        outside = _outside(played, attempt, person, beside)
        last = _append(played, attempt, times)
        end = played.turns[-1].turn
        attempt.ended_at = times[-1]
        attempt.outcome = Outcome.COMPLETED if end.state == WIN else Outcome.GAVE_UP
        attempt.actions = end.seq
        attempt.levels_completed = end.levels_completed
        attempt.last_action_at = times[-1]
        attempt.outside = outside
        attempt.seal = seal_after(attempt, last, len(played.turns))
        attempt.save()
    return attempt


def _outside(played: Replayed, attempt: Attempt, person: str, beside: Beside) -> OutsideAttempt:
    return OutsideAttempt.objects.create(
        attempt=attempt,
        person=person,
        timed=bool(played.times),
        notes=" ".join(played.notes),
        **{name: getattr(played, name) for name in _AS_PLAYED},
        ratings=dict(beside.ratings.get(played.guid) or beside.ratings.get(played.name.split(".")[0], {})),
        imported_at=now(),
    )


def _append(played: Replayed, attempt: Attempt, times: list[datetime]) -> bytes:
    """Appends the entries; returns the last value of their chain."""
    before, entries = start_of(attempt), []
    for one, at in zip(played.turns, times, strict=True):
        entry = new_entry(attempt.pk, one.action, one.level, one.turn, at, _UNKNOWN, before)
        entries.append(entry)
        before = entry.chain
    if len(insert_entries(connection, entries)) != len(entries):
        raise PayloadError("journal_refused", "The journal did not take every entry of this play.")
    return before


def _session(study: Study, person: str, begin: datetime, end: datetime) -> Session:
    """The session of this person in the study, or a new one of somebody new."""
    if person:
        known = Session.objects.filter(study=study, attempts__outside__person=person).first()
        if known is not None:
            if known.checked_in_at is None or known.ended_at is None or known.checked_in_at > begin:
                Session.objects.filter(pk=known.pk).update(checked_in_at=begin)
            if known.ended_at is not None and known.ended_at < end:
                Session.objects.filter(pk=known.pk).update(ended_at=end)
            return known
    participant: Participant
    (participant,) = new_participants([""], outside=True)
    return Session.objects.create(
        study=study, participant=participant, protocol=study.newest_version,
        code_hash=secrets.token_hex(32), created_at=now(), checked_in_at=begin, ended_at=end,
        end_reason=SessionEnd.IMPORTED,
    )  # fmt: skip


def _times(played: Replayed, started: str) -> list[datetime]:
    """The moment of every turn: recorded, or counted from the start that a manifest gives.

    Without times all are at that start, or now.
    """
    try:
        given = datetime.fromisoformat(started) if started else None
    except ValueError:
        given = None
    if given is not None and given.tzinfo is None:
        given = given.replace(tzinfo=UTC)
    begin = given or now()
    if not played.times:
        return [begin] * len(played.turns)
    first = played.times[played.turns[0].index]
    shift = begin - first if first.year == 1970 else timedelta(0)
    return [played.times[one.index] + shift for one in played.turns]
