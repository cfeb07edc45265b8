"""Which environments a study still needs people for, and how many sessions that makes: quota and places.

What a person has played is read here alone, under all records that are known to be theirs. The quota is
counted in this room, under the lock of an assignment. Reviewers' exclusions and bookings are known to higher
rooms, which declare their condition and their number in their manifests, so nothing is stored twice.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, F, Q

from playtest.people.manifests import manifests
from playtest.people.models import Participant
from playtest.people.participants import Linked, linked_records, records_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, ProtocolVersion, Session, Study
from playtest.play.models.study import held_here
from playtest.play.sessions.reads import COUNTED, TASKS, whose
from playtest.play.signals import places_asked
from playtest.rules.acceptance import Acceptance, strictest
from playtest.rules.assignment import Candidate, Remaining, remaining
from playtest.rules.attempt import CUT_SHORT
from playtest.rules.places import environments_per_session, full_sessions, left_by, sessions_needed
from playtest.rules.protocol import DEFAULT


def environments_played(participant_id: int) -> Collection[int]:
    """The environments that this person has met, in any session and any version."""
    return environments_played_by([participant_id])[participant_id]


def environments_played_by(people: Collection[int], but: Collection[int] = ()) -> dict[int, set[int]]:
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


def repeats(linked: Linked | None = None) -> dict[int, Repeat]:
    """The attempts that are not their person's first on the environment, by attempt.

    `linked` is given where it is known already.
    """
    linked = linked_records() if linked is None else linked
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


def is_in_quota() -> Q:
    """The condition on attempts that no room excludes by its manifest."""
    found = Q()
    for manifest in manifests():
        for condition in manifest.not_counted:
            found &= ~condition()
    return found


def counted_towards(study: Study | None) -> Q:
    """The attempts that count towards the people an environment is to have at its current version.

    The quota of a study and the gate "easy for humans" (None: over all real studies) count by this alone: by
    the protocol's rule, without those whose attempts were left out (`play.sessions.quota`) or cut short. Who
    played an earlier version is nobody: as many are asked for at what is to be released.
    """
    return _towards_quota(study) & COUNTED


UNDECIDED = Q(outcome__in=CUT_SHORT) & ~(TASKS & Q(levels_completed__gt=0))
"""Attempts that the session's end cut short: they neither pass nor fail the gate, so another person is asked.

A static task of which a pair is solved has passed, whatever its end.
"""


def _towards_quota(study: Study | None) -> Q:
    return whose(study) & is_in_quota() & Q(version=F("environment__current")) & ~UNDECIDED


def acceptance_of(environments: Collection[int]) -> dict[int, Acceptance]:
    """What the gate requires of each environment over all studies: the most that a real study requires.

    That is of studies with the environment in their pool; the default protocol's where there is none.
    """
    versions = ProtocolVersion.objects.filter(held_here("study__"), study__pool__in=environments)
    rows = versions.order_by("number").values_list("study__pool", "study", "document__acceptance")
    newest = {(environment, study): Acceptance(**asked) for environment, study, asked in rows}
    by_environment: defaultdict[int, list[Acceptance]] = defaultdict(list)
    for (environment, _), asked in newest.items():
        by_environment[environment].append(asked)
    return {pk: strictest(by_environment[pk]) or DEFAULT.acceptance for pk in environments}


def candidates(study: Study, position: int = 0) -> list[Candidate[int]]:
    """Every environment that is offered with its people so far: who counts (`counted_towards`), who plays.

    `position` in a session, from 1, is that of which `Candidate.at_position` tells; 0 for none.
    """
    rows = (
        Attempt.objects.filter(_towards_quota(study), COUNTED | Q(ended_at=None))
        .values_list("environment_id", "number")
        .annotate(ended=Count("ended_at"), people=Count("pk"))
    )
    found: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for environment, number, ended, people in rows:
        of = found[environment]
        of[0] += ended
        of[1] += people - ended
        of[2] += people if number == position else 0
    offered = study.offered().order_by("pk").values_list("pk", flat=True)
    return [Candidate(pk, *found[pk]) for pk in offered]


type Pool = list[Candidate[int]]
"""What `candidates` returns; given to what needs it where it is known already."""


def remaining_for(study: Study, participant_id: int, pool: Pool | None = None) -> Remaining:
    """Whether the study has an environment left for this person at this moment, and if not, why."""
    pool = candidates(study) if pool is None else pool
    return remaining(pool, environments_played(participant_id), study.protocol.acceptance.people)


def has_met_the_pool(session: Session) -> bool:
    """Whether this person has met all that the study offers, in this session or before."""
    return not session.study.offered().exclude(pk__in=environments_played(session.participant_id)).exists()


@dataclass(frozen=True)
class Places:
    """`needed` sessions give every environment its people, beside those under way.

    Each is expected to play `environments`; `full` of them find as many, the others fewer. Of `needed`,
    `codes` sessions have a valid code that is not used yet and `booked` people have no session yet.
    """

    people: int
    environments: int
    needed: int
    full: int
    codes: int
    booked: int

    @property
    def promised(self) -> int:
        return self.codes + self.booked

    @property
    def left(self) -> int:
        """Places that can still be promised."""
        return max(0, self.needed - self.promised)

    @property
    def too_many(self) -> int:
        """People who were promised a place that the study no longer has."""
        return max(0, self.promised - self.needed)

    @property
    def fewer(self) -> int:
        """Of the places left, those whose session finds fewer environments than expected."""
        return max(0, self.left - max(0, self.full - self.promised))

    @property
    def left_in_words(self) -> str:
        if self.left == 0:
            return "No place is left in this study: what it still needs is promised to others."
        return f"{self.left} place{' is' if self.left == 1 else 's are'} left in this study."


def places_of(study: Study, pool: Pool | None = None) -> Places:
    """The places of a study at this moment. Lock the study's row to act on them."""
    people = study.protocol.acceptance.people
    pool = candidates(study) if pool is None else pool
    environments = environments_per_session(_finished(study), len(pool))
    wanted = {one.environment: max(0, people - one.people) for one in pool}
    left = left_by(_under_way(study, environments), wanted).values()
    codes = Session.objects.filter(waiting(), study=study).count()
    return Places(
        people=people,
        environments=environments,
        needed=sessions_needed(left, environments),
        full=full_sessions(left, environments),
        codes=codes,
        booked=sum(count(study) for manifest in manifests() for count in manifest.promised),
    )


def waiting() -> Q:
    """Sessions whose code is valid and that nobody has checked in to."""
    expires = Q(code_expires_at__isnull=True) | Q(code_expires_at__gt=now())
    return Q(checked_in_at__isnull=True, ended_at__isnull=True) & expires


def _finished(study: Study) -> list[int]:
    """The environments of each finished session in which anything was played."""
    finished = Session.objects.filter(whose(study, ""), ended_at__isnull=False)
    return list(
        finished.annotate(played=Count("attempts")).filter(played__gt=0).values_list("played", flat=True)
    )


def _under_way(study: Study, environments: int) -> list[tuple[set[int], int]]:
    """What each person in a session has met, and how many environments they are expected to play yet."""
    sessions = dict(
        Session.objects.filter(whose(study, ""), checked_in_at__isnull=False, ended_at__isnull=True)
        .annotate(played=Count("attempts"))
        .values_list("participant", "played")
    )
    met = environments_played_by(sessions)
    return [(met[person], max(0, environments - played)) for person, played in sessions.items()]


STUDY_FULL, EVERYTHING_MET, NO_PLACES = "study_full", "everything_met", "no_places"
_FOR_STAFF = {
    Remaining.STUDY_FULL: (
        STUDY_FULL,
        "This study is full: every environment has as many people as it needs, including those who play now."
        " Choose another study, or ask for more people per environment in this one.",
    ),
    Remaining.EVERYTHING_MET: (
        EVERYTHING_MET,
        "This person has played every environment of this study that still needs people."
        " Choose another study.",
    ),
}
_FOR_PARTICIPANT = {
    Remaining.STUDY_FULL: "There is nothing left to play here: other people took the last places. You did"
    " nothing wrong. Please tell a member of staff.",
    Remaining.EVERYTHING_MET: "There is nothing left to play here: you have played everything here before."
    " Please tell a member of staff.",
}


def refuse_code_if_nothing_left(study: Study, participant: Participant, pool: Pool | None = None) -> None:
    """Check before a code is given out. Refusal: study_full, everything_met."""
    left = remaining_for(study, participant.pk, pool)
    if left is not Remaining.SOMETHING:
        code, message = _FOR_STAFF[left]
        if withheld := ", ".join(study.withheld().values_list("code", flat=True)):
            message += f" Sent back to their designers, and given to nobody: {withheld}."
        raise Refusal(code, message)


def refuse_seat_if_nothing_left(session: Session) -> None:
    """Check before a first check-in. Refusal: study_full, everything_met."""
    left = remaining_for(session.study, session.participant_id)
    if left is not Remaining.SOMETHING:
        raise Refusal(_FOR_STAFF[left][0], _FOR_PARTICIPANT[left])


def refuse_without_places(study: Study, wanted: int = 1, pool: Pool | None = None) -> None:
    """Check before places are promised, with the study's row locked.

    Refusal: no_places, or what another room says against it (`signals.places_asked`).
    """
    places = places_of(study, pool)
    if places.left < wanted:
        needed = "1 is needed" if wanted == 1 else f"{wanted} are needed"
        raise Refusal(NO_PLACES, f"{places.left_in_words} {needed} here.")
    places_asked.send(Study, study=study, wanted=wanted)
