"""How many simulated people of each kind the effort rules find, and how many who try they accuse.

Everybody plays in one simulated study, so that people who do not try are among those who may set its norms.
Nothing is stored, and no real session is read.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from playtest.rehearsal.people.person import Person
from playtest.rules.effort import findings
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Strength, opens_review
from playtest.rules.effort.norms import NormSample, completed_something
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.inference.shares import Share, share
from playtest.rules.limits import Limits
from playtest.rules.protocol import DEFAULT
from playtest.rules.text import percent
from tools.effort_flags.kinds import Playing, SimulatedKind
from tools.effort_flags.offline import Playable, play_session, playable

LEAST_FOUND, MOST_ACCUSED = 0.90, 0.05
"""What is asked of the rules: the share found of each kind without effort, and of people who try."""
_GAMES = Path(__file__).parents[2] / "games"
_ATTEMPTS_OF_A_PERSON = 100


def shipped() -> list[str]:
    """The codes of the shipped environments that have a recorded win."""
    return sorted(win.parents[1].name for win in _GAMES.glob("*/recordings/win.jsonl"))


@dataclass(frozen=True)
class Row:
    """One kind: how many of its sessions open a review, and how many of these each rule is behind."""

    kind: SimulatedKind
    reviewed: Share
    rules: Counter[str]

    @property
    def is_met(self) -> bool:
        """Whether enough of the kind are found, or few enough accused."""
        if self.kind.tries:
            return self.reviewed.value <= MOST_ACCUSED
        return self.reviewed.value >= LEAST_FOUND


type Session = list[AttemptEvidence]


def evaluate(
    people: int,
    seed: int,
    report: Callable[[int], None],
    kinds: Sequence[SimulatedKind],
    *,
    codes: Sequence[str] = (),
    processes: int | None = None,
) -> list[Row]:
    """Plays the sessions of so many people of each of these kinds, and judges each by the others.

    They play the shipped environments, or those with these `codes`, under the default protocol. `report` is
    called with the number of sessions so far. The same people, seed and environments give the same rows.
    """
    played = sessions_of(people, seed, report, kinds, codes=codes, processes=processes)
    thresholds, fewest = DEFAULT.effort.thresholds, fewest_of(codes)
    sessions = [session for _, session in played]
    judge = partial(findings_of, samples=norm_samples(sessions, thresholds), limits=thresholds, fewest=fewest)
    rows: dict[SimulatedKind, list[list[Finding]]] = {kind: [] for kind in kinds}
    with _workers(processes) as executor:
        judged = executor.map(judge, sessions, chunksize=10)
        for (kind, _), found in zip(played, judged, strict=True):
            rows[kind].append(found)
    return [_row(kind, of_kind) for kind, of_kind in rows.items()]


def sessions_of(
    people: int,
    seed: int,
    report: Callable[[int], None],
    kinds: Sequence[SimulatedKind],
    *,
    codes: Sequence[str] = (),
    processes: int | None = None,
) -> list[tuple[SimulatedKind, Session]]:
    """The sessions of so many people of each kind, in order."""
    numbered = enumerate((kind for kind in kinds for _ in range(people)), start=1)
    everyone = [(kind, kind.person(number, seed)) for number, kind in numbered]
    found = []
    with _workers(processes) as executor:
        persons, playing = [person for _, person in everyone], [kind.play for kind, _ in everyone]
        environments = repeat(tuple(codes or shipped()))
        for session in executor.map(_play, persons, playing, environments, repeat(DEFAULT.limits)):
            found.append(session)
            report(len(found))
    return [(kind, session) for (kind, _), session in zip(everyone, found, strict=True)]


@contextmanager
def _workers(processes: int | None) -> Iterator[ProcessPoolExecutor]:
    """Processes in which environments play alike in every run: the hashes of texts are fixed there."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as executor:
            yield executor
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


def _play(person: Person, playing: Playing, codes: tuple[str, ...], limits: Limits) -> Session:
    return play_session(person, _pool(codes), limits, person.number * _ATTEMPTS_OF_A_PERSON, playing)


@cache
def _pool(codes: tuple[str, ...]) -> list[Playable]:
    return [playable(_GAMES / code, version) for version, code in enumerate(codes, start=1)]


def norm_samples(sessions: Iterable[Session], limits: Thresholds) -> dict[int, NormSample]:
    """The norms of each version, from the sessions in which something was completed."""
    by_version: dict[int, Session] = {}
    for session in sessions:
        if any(completed_something(attempt.outcome, attempt.levels_completed) for attempt in session):
            for attempt in session:
                by_version.setdefault(attempt.version, []).append(attempt)
    return {version: NormSample(attempts, limits) for version, attempts in by_version.items()}


type Fewest = dict[int, dict[int, int]]
"""The actions of the recorded solutions, by version and level."""


def findings_of(
    session: Session, samples: dict[int, NormSample], limits: Thresholds, fewest: Fewest
) -> list[Finding]:
    """What the rules find in a session, by the norms of everybody else and the recorded solutions."""
    norms = {
        attempt.version: norm
        for attempt in session
        if attempt.version in samples and (norm := samples[attempt.version].without(attempt.attempt))
    }
    seeds = {attempt.attempt: attempt.attempt for attempt in session}
    return findings(session, norms, limits, seeds, fewest)


def fewest_of(codes: Sequence[str] = ()) -> Fewest:
    """Those of the shipped environments, or of those with these codes."""
    return {
        one.version: {level: len(each) for level, each in enumerate(one.solutions.levels, start=1)}
        for one in _pool(tuple(codes or shipped()))
    }


def _row(kind: SimulatedKind, found: list[list[Finding]]) -> Row:
    opened = [one for one in found if opens_review((finding.rule, finding.strength) for finding in one)]
    rules: Counter[str] = Counter()
    for of_session in opened:
        rules.update({str(finding.rule) for finding in of_session if finding.strength != Strength.NOTE})
    return Row(kind, share(len(opened), len(found)), rules)


def failures(rows: Sequence[Row]) -> list[str]:
    """What is asked of the rules and not met, a sentence for each kind."""
    return [
        f"{row.kind.label}: a review of {row.reviewed.count} of {row.reviewed.people} was opened;"
        f" {'at most' if row.kind.tries else 'at least'}"
        f" {percent(MOST_ACCUSED if row.kind.tries else LEAST_FOUND)} should be."
        for row in rows
        if not row.is_met
    ]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a Markdown table, as docs/effort.md has it."""
    yield "| simulated people | try | review opened | share | 95 % interval | rules behind these reviews |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        yield _line(row.kind.label, row.kind.tries, row.reviewed, row.rules)
    for tries, label in ((False, "all who do not try"), (True, "all who try")):
        of_these = [row.reviewed for row in rows if row.kind.tries == tries]
        total = share(sum(one.count for one in of_these), sum(one.people for one in of_these))
        yield _line(label, tries, total, Counter())


def _line(label: str, tries: bool, reviewed: Share, rules: Counter[str]) -> str:
    by_count = sorted(rules.items(), key=lambda rule: (-rule[1], rule[0]))
    columns = (
        label,
        "yes" if tries else "no",
        f"{reviewed.count} of {reviewed.people}",
        f"{100 * reviewed.value:.1f} %",
        f"{100 * reviewed.low:.0f} to {percent(reviewed.high)}",
        ", ".join(f"`{rule}` {count}" for rule, count in by_count),
    )
    return f"| {' | '.join(columns)} |"
