"""What a study registered before its data were collected, and how it has departed from that.

A departure is not a mistake. It is what a reader of the results has to know, so it is found from the record
and not from anybody's account of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from playtest.rules.errors import RuleError
from playtest.rules.protocol import Protocol
from playtest.rules.text import counted, storable

LONGEST_ANALYSIS = 20_000
MOST_PEOPLE = 1_000_000


class Kind(StrEnum):
    """What a departure is about."""

    BEFORE = "before"
    PROTOCOL = "protocol"
    VERSION = "version"
    POOL = "pool"
    EXCLUSION = "exclusion"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Departure:
    """One departure, in a sentence with its figures."""

    kind: Kind
    sentence: str


@dataclass(frozen=True, slots=True)
class Registered:
    """What a study registered.

    `versions` has the digest of each environment of the protocol's pool by its code. `people` is how many are
    to be recruited, None where that was left open; `analysis` are the hypotheses and the analysis in words.
    `plan` is what the study was planned with, `rules.planning.Plan.document`; None without one.
    Raises RuleError versions_missing, people_invalid, analysis_too_long, analysis_unreadable.
    """

    study: str
    protocol_number: int
    protocol: Protocol
    versions: Mapping[str, str]
    people: int | None
    analysis: str
    plan: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if sorted(self.versions) != list(self.protocol.environments):
            message = "Each environment of the pool needs a version before the study is registered."
            raise RuleError("versions_missing", message)
        if self.people is not None and not 1 <= self.people <= MOST_PEOPLE:
            message = f"Give the number of people to recruit, from 1 to {MOST_PEOPLE:,}, or leave it empty."
            raise RuleError("people_invalid", message)
        if len(self.analysis) > LONGEST_ANALYSIS:
            message = f"The analysis has at most {LONGEST_ANALYSIS:,} characters: shorten it."
            raise RuleError("analysis_too_long", message)
        if not storable(self.analysis):
            raise RuleError("analysis_unreadable", "The analysis has a character that cannot be stored.")

    @property
    def document(self) -> dict[str, Any]:
        """The value in JSON types; `rules.document.digest_of` makes its digest."""
        return {
            "study": self.study,
            "protocol_version": self.protocol_number,
            "protocol_digest": self.protocol.digest,
            "protocol": self.protocol.document,
            "environments": dict(sorted(self.versions.items())),
            "people": self.people,
            "analysis": self.analysis,
            "plan": self.plan,
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Registered":
        """The value that a stored document describes."""
        return cls(
            document["study"],
            document["protocol_version"],
            Protocol.of(document["protocol"]),
            document["environments"],
            document["people"],
            document["analysis"],
            document["plan"],
        )


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """A version of the protocol that sessions follow, and the fields in which it is not as registered."""

    number: int
    sessions: int
    fields: Sequence[str]


@dataclass(frozen=True, slots=True)
class Happened:
    """What has happened in the study since its first session.

    `before` sessions had checked in when it was registered. `people` have checked in. `played` has the number
    of attempts by environment and version digest, `counted` the counted people by environment, `pool` the
    environments now, `excluded` the exclusions in force by the rule set they were decided under.
    """

    before: int = 0
    people: int = 0
    protocols: Sequence[OtherProtocol] = ()
    played: Mapping[tuple[str, str], int] = field(default_factory=dict)
    counted: Mapping[str, int] = field(default_factory=dict)
    pool: Sequence[str] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)


def departures(registered: Registered, happened: Happened) -> list[Departure]:
    """Everything that is not as registered, in the order of `Kind`."""
    kinds = (_protocols, _versions, _pool, _exclusions, _people)
    return [departure for found in kinds for departure in found(registered, happened)]


def _protocols(_registered: Registered, happened: Happened) -> Iterator[Departure]:
    if happened.before:
        sentence = f"{counted(happened.before, 'session')} had begun when the study was registered."
        yield Departure(Kind.BEFORE, sentence)
    for one in sorted(happened.protocols, key=lambda one: one.number):
        if one.fields and one.sessions:
            follow = f"{counted(one.sessions, 'session')} follow{'s' if one.sessions == 1 else ''}"
            differs = f"which is not as registered in: {', '.join(one.fields)}."
            yield Departure(Kind.PROTOCOL, f"{follow} version {one.number} of the protocol, {differs}")


def _versions(registered: Registered, happened: Happened) -> Iterator[Departure]:
    for (code, digest), attempts in sorted(happened.played.items()):
        meant = registered.versions.get(code)
        if meant is not None and digest != meant:
            at = f"{counted(attempts, 'attempt')} at {code} {'was' if attempts == 1 else 'were'}"
            yield Departure(Kind.VERSION, f"{at} at version {digest[:8]}, not at {meant[:8]}.")


def _pool(registered: Registered, happened: Happened) -> Iterator[Departure]:
    played = {code for code, _ in happened.played}
    for code in sorted((set(happened.pool) | played) - set(registered.versions)):
        yield Departure(Kind.POOL, f"{code} was not registered and has joined the pool.")
    for code in sorted(set(registered.versions) - set(happened.pool)):
        yield Departure(Kind.POOL, f"{code} was registered and has left the pool.")


def _exclusions(registered: Registered, happened: Happened) -> Iterator[Departure]:
    meant = registered.protocol.effort.rule_version
    for version, excluded in sorted(happened.excluded.items()):
        if version != meant:
            decided = f"{counted(excluded, 'exclusion')} {'was' if excluded == 1 else 'were'} decided by"
            yield Departure(Kind.EXCLUSION, f"{decided} rule set {version} of effort, not by {meant}.")


def _people(registered: Registered, happened: Happened) -> Iterator[Departure]:
    if registered.people is not None and happened.people > registered.people:
        sentence = f"{happened.people:,} people came; {registered.people:,} were registered."
        yield Departure(Kind.PEOPLE, sentence)
    asked = registered.protocol.acceptance.people
    more = sorted(code for code, people in happened.counted.items() if people > asked)
    if more:
        counts = ", ".join(f"{code} {happened.counted[code]}" for code in more)
        sentence = f"More people count than the {asked} registered for each environment: {counts}."
        yield Departure(Kind.PEOPLE, sentence)
