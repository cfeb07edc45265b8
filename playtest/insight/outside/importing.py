"""Imports data from elsewhere, file by file: what is stored already is left alone, what is bad is named."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max

from engine.errors import EngineError
from engine.play import source as sources
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.outside import replaying
from playtest.insight.outside.check import SourceCheck
from playtest.insight.outside.members import UNREADABLE, Beside, Data
from playtest.insight.outside.replaying import Candidate, Replayed, Skipped, code_in, replay_file
from playtest.insight.outside.storing import known_digests, outside_study, store
from playtest.insight.paper.package.importing import import_package
from playtest.insight.paper.package.read import is_package
from playtest.people.models import Staff
from playtest.play.models import Attempt, OutsideAttempt, OutsideStudy, Study
from playtest.play.sessions.studies import change_study, freeze_protocol
from playtest.rules.attempt import Outcome
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Version

type Report = Callable[[int, int], None]
"""Called with the files done and all files, several times a second; may raise."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The study, the files that were left out, and what a package publishes that is another figure here."""

    study: Study
    skipped: list[Skipped]
    differences: tuple[str, ...] = ()
    check: SourceCheck | None = None
    """With the source, where it was made on the way."""


_FIRST_BYTES = 4096
_NAME_LETTERS = 100


def import_data(
    path: Path,
    *,
    name: str = "",
    staff: Staff | None = None,
    source: str = "",
    licence: str = "",
    undo_counts: bool | None = None,
    processes: int = 1,
    report: Report = lambda _done, _total: None,
    begun: Callable[[Study], object] = lambda _study: None,
) -> Imported:
    """Imports the data at a path: a data package, or a zip or a folder of recordings.

    Repeatable: plays that the study has are left alone, so that what was interrupted can be begun again.
    `source` and `licence` are stored with a new study. `undo_counts` is its protocol's; without it, undo is
    left out if most last lines of the recordings leave it out. With more than one of `processes`, files are
    played beside one another. `begun` is told the study before the first play is imported.

    Refusal: data_missing, data_unknown, and as `storing.outside_study` and `package.importing`.
    """
    data = Data.at(path)
    if is_package(path):
        made = import_package(path, name=name, staff=staff, report=report, begun=begun)
        return Imported(made.study, [], made.differences)
    files, known = data.recordings, candidates()
    environments = Environment.objects.in_bulk(list(_codes(data, files, known)), field_name="code")
    study = outside_study(
        (name or path.stem)[:_NAME_LETTERS],
        list(environments.values()),
        staff,
        source=source or path.name,
        licence=licence,
    )
    begun(study)
    beside, skipped = data.beside(), list[Skipped]()
    stored = known_digests(study)
    with closing(_replayed(data, files, known, stored, processes)) as found:
        for done, plays in enumerate(found, start=1):
            skipped += _store(study, plays, beside, environments)
            report(done, len(files))
    _describe(study, beside)
    bring_up_to_date(Attempt.objects.filter(session__study=study))
    check = SourceCheck(study)
    _settle_undo(study, check, undo_counts, staff)
    return Imported(study, skipped, check=check)


@transaction.atomic
def _settle_undo(study: Study, check: SourceCheck, chosen: bool | None, staff: Staff | None) -> None:
    """Says in a version of the protocol how undo counts, where it is not said yet or is chosen anew."""
    said = study.protocol_versions.filter(reason__startswith=_UNDO).exists()
    left_out = None if said or chosen is not None else check.leaves_undo_out
    counts = not left_out if chosen is None else chosen
    if study.protocol.undo_counts == counts or (chosen is None and left_out is None):
        return
    why = "was chosen at the import" if chosen is not None else "is so in most last lines of the recordings"
    reason = f"{_UNDO} {'counted' if counts else 'not counted'}: this {why}."
    protocol = replace(study.protocol, undo_counts=counts)
    change_study(study, pool=[*study.pool.all()], protocol=protocol, staff=staff, reason=reason)
    freeze_protocol(study)


_UNDO = "Undo"


def _store(
    study: Study,
    plays: Sequence[Replayed | Skipped],
    beside: Beside,
    environments: dict[str, Environment],
) -> Iterator[Skipped]:
    for one in plays:
        try:
            made = one if isinstance(one, Skipped) else store(study, one, beside, environments)
        except EngineError as error:
            made = Skipped(one.name, f"{error.code}: {error.message}")
        if isinstance(made, Skipped):
            yield made


def candidates(**chosen: Any) -> dict[str, list[Candidate]]:
    """Every version of interactive environments, or of chosen ones, the current first, then the newest."""
    found: dict[str, list[Candidate]] = {}
    versions = Version.objects.filter(environment__kind=Kind.INTERACTIVE, **chosen)
    versions = versions.select_related("environment")
    for one in sorted(versions, key=lambda one: (one.environment.current_id != one.pk, -one.pk)):
        made = sources.from_parts(one.metadata, one.source, one.environment.code)
        candidate = Candidate(one.pk, one.environment.code, one.game_id, one.levels, made)
        found.setdefault(one.environment.code, []).append(candidate)
    return found


def _codes(data: Data, files: Sequence[str], known: dict[str, list[Candidate]]) -> Iterator[str]:
    """The environments that the files are of, by their first line or their path."""
    for name in files:
        try:
            first = next(iter(data.lines(name)), b"")
        except (*UNREADABLE, EngineError, KeyError, NotImplementedError):
            continue
        marker = b'"game_id"'
        at = first.find(marker)
        text = first[at + len(marker) :][:_FIRST_BYTES].lstrip(b": \t") if at >= 0 else b""
        game_id = text[1:].partition(b'"')[0].decode(errors="replace") if text[:1] == b'"' else ""
        code = code_in(game_id, name, known)
        if code is not None:
            yield code


def _replayed(
    data: Data,
    files: Sequence[str],
    known: dict[str, list[Candidate]],
    stored: frozenset[str],
    processes: int,
) -> Generator[list[Replayed | Skipped]]:
    """The plays of each file, in order; a few files ahead where there are several processes."""
    work = partial(replay_file, data, candidates=known, known=stored)
    if processes == 1 or len(files) < 2:
        yield from map(work, files)
        return
    shared = (data, known, stored)
    with ProcessPoolExecutor(processes, get_context("spawn"), replaying.begin, shared) as pool:
        rest = iter(files)
        waiting: deque[Future[list[Replayed | Skipped]]] = deque(
            pool.submit(replaying.replay_next, name) for name in islice(rest, 2 * processes)
        )
        try:
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(replaying.replay_next, name) for name in islice(rest, 1))
        finally:
            pool.shutdown(cancel_futures=True)


def _describe(study: Study, beside: Beside) -> None:
    """Sets what is known of the data once all of it is read: its digest, its day, whether it names people."""
    stored = OutsideAttempt.objects.filter(attempt__session__study=study)
    digests = "\n".join(sorted(stored.values_list("digest", flat=True)))
    newest = stored.filter(timed=True).aggregate(at=Max("attempt__ended_at"))["at"]
    described: dict[str, Any] = {
        "digest": sha256(digests.encode()).hexdigest(),
        "dated": newest.date() if newest is not None else None,
        "people_known": not stored.filter(person="").exists(),
    }
    row = OutsideStudy.objects.get(study=study)
    if any(getattr(row, field) != value for field, value in described.items()):
        OutsideStudy.objects.filter(pk=row.pk).update(**described)


def summary(made: Imported) -> dict[str, Any]:
    """In JSON types: how many attempts, wins and participants the study has, what differs, every level.

    `differences` has one object a recording that no version plays as recorded, and one a figure that a
    package publishes and that is another one here; `skipped` one a file that was left out. A level's
    `baseline` is the upper median of its completers here, `metadata` the number that the version's metadata
    gives; each is null where there is none; `reason` is the likely one of a difference. `counts` has one
    object for each number that the last line of a recording has otherwise than we, `undo` how both count.
    """
    study = made.study
    check = made.check or SourceCheck(study)
    stored = OutsideAttempt.objects.filter(attempt__session__study=study).select_related("attempt")
    differing = stored.filter(differs_from__isnull=False).order_by("attempt__environment__code", "name")
    return {
        "study": study.name,
        "attempts": stored.count(),
        "wins": stored.filter(attempt__outcome=Outcome.COMPLETED).count(),
        "participants": stored.values("attempt__participant").distinct().count(),
        "skipped": [{"file": one.name, "reason": one.reason} for one in made.skipped],
        "differences": [
            *({"file": one.name, "attempt": one.attempt_id, "action": one.differs_from} for one in differing),
            *({"figure": one} for one in made.differences),
        ],
        "unproven": stored.filter(unproven=True).count(),
        "undo": check.scope.undo,
        "levels": list(_levels(check)),
        "counts": [
            {
                "file": one.recording.name,
                "attempt": one.recording.attempt_id,
                "what": one.what,
                "ours": one.ours,
                "source": one.theirs,
                "reason": one.reason,
            }
            for one in check.counts
        ],
    }


def _levels(check: SourceCheck) -> Iterator[dict[str, Any]]:
    for one in check.levels:
        yield {
            "environment": one.version.environment.code,
            "version": one.version.game_id,
            "level": one.level,
            "completers": one.completers,
            "baseline": one.baseline,
            "metadata": one.metadata,
            "reason": one.reason,
        }
