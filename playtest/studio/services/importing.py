"""Imports environments in the official layout as immutable versions."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from engine.errors import EngineError
from engine.play.packing import own_lines
from engine.play.source import Source
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.processes.game import Facts
from playtest.studio.queries.catalogue import equal_elsewhere
from playtest.studio.queries.given_baseline import baseline_fault
from playtest.studio.services import loading
from playtest.studio.services.catalogue import make_current, roll_back
from playtest.studio.services.recordings import keep_recordings
from playtest.studio.services.upload_decisions import settle_imported

BASELINE = "baseline_actions"
LEAST_SHARED = 1 / 3
"""Of a source's different lines, libraries apart: with fewer in common it may be another author's (of the
environments here and the official ones, two share up to 22 %)."""


class _Chosen(NamedTuple):
    """The pk of the version whose result stands for its environment, and that result."""

    version: int = 0
    status: loading.Status = "unchanged"
    question: str = ""


class _Asks(EngineError):
    """A source that is not stored before somebody confirms it."""


def load_environments(
    directory: Path,
    report: loading.Report = lambda done, total, results: None,
    *,
    only_known: bool = False,
    release_set: ReleaseSet = ReleaseSet.NONE,
    with_recordings: bool = True,
    confirmed: Collection[str] | None = (),
) -> list[loading.LoadResult]:
    """Imports what is new in a games folder; known versions stay as they are, broken ones are rejected.

    The version in the last folder of an environment becomes the current one, with the folder's note. One that
    is older than the current one, has the game_id of another source, or shares few lines with the current one
    "asks", unless its environment is `confirmed` (None: all are). With `only_known`,
    only recordings of versions that were imported before are taken. An environment is imported as a
    whole before the next: wherever this ends, none is left half-done. `release_set` is the set of those
    that did not exist; the others remain in theirs. Without `with_recordings`, recordings are left to a later
    call, as they take longest: each is played.
    Raises SourceError folder_missing, and what `report` raises.
    """
    keep = partial(
        _import,
        directory=directory,
        only_known=only_known,
        release_set=release_set,
        with_recordings=with_recordings,
        confirmed=confirmed,
    )
    return loading.load(directory, report, keep)


def _import(
    inspected: list[loading.Inspected],
    waiting: loading.Waiting,
    directory: Path,
    only_known: bool,
    release_set: ReleaseSet,
    with_recordings: bool,
    confirmed: Collection[str] | None,
) -> tuple[list[loading.LoadResult], list[loading.LoadResult]]:
    """Imports the versions of one environment: the rejections, and the results of the others."""
    if only_known:
        inspected = [(source, facts) for source, facts in inspected if facts is None]
    rejected: list[loading.LoadResult] = []
    results: list[loading.LoadResult] = []
    stored: dict[int, tuple[Source, Version, Facts | None]] = {}
    folders: dict[int, list[str]] = {}
    may_replace = confirmed is None or any(source.environment_id in confirmed for source, _ in inspected)
    chosen = _Chosen()
    with transaction.atomic():
        for source, facts in inspected:
            try:
                version = _keep(source, facts, release_set, may_replace)
            except _Asks as error:
                results.append(loading.LoadResult(source.environment_id, "asks", error.message))
            except EngineError as error:
                rejected.append(loading.rejection(source.environment_id, error, directory))
            else:
                folders.setdefault(version.pk, []).append(loading.folder_of(source.path, directory))
                assert not isinstance(facts, EngineError), "what failed was not stored"
                stored.pop(version.pk, None)
                stored[version.pk] = source, version, facts
        if stored:
            chosen = (
                _Chosen(next(reversed(stored)))
                if only_known
                else _take_current([*stored.values()], may_replace)
            )
    for source, version, shown in stored.values():
        last = version.pk == chosen.version
        notes = [chosen.question] if last and chosen.question else []
        notes += _where(version, folders)
        notes += loading.printing(shown) + baseline_fault(source.baseline_actions, version.levels)
        notes += equal_elsewhere(version)
        notes += _claims([source for source, _ in inspected], directory) if last else []
        if with_recordings:
            notes += keep_recordings(version, Path(source.path).parent, waiting)
        status = chosen.status if last else "older_version"
        results.append(loading.LoadResult(source.environment_id, status, "; ".join(notes)))
    return rejected, results


def _where(version: Version, folders: Mapping[int, list[str]]) -> list[str]:
    """In which folder a version is, if there are several versions or folders, which are given by its pk."""
    *others, own = folders[version.pk]
    found = [f"version {version.digest[:8]} in {own}"] if others or len(folders) > 1 else []
    return found + ([f"the same version is in {' and '.join(others)}"] if others else [])


def doubt_of_author(source: Source) -> str:
    """Why a new source may be another author's than what has its id, with a code; "" if it is not."""
    imported = Version.objects.filter(environment__code=source.environment_id, is_draft=False)
    same_name = imported.filter(game_id=source.game_id).exclude(digest=source.digest).first()
    if same_name is not None and "-" in source.game_id:
        return (
            f"game_id_taken: version {same_name.digest[:8]} is another source with game_id {source.game_id}"
        )
    current = Environment.objects.filter(code=source.environment_id, current__isnull=False)
    for before in current.values_list("current__source", flat=True):
        own = own_lines(source.text)
        shared = len(own & own_lines(before))
        if shared < LEAST_SHARED * len(own):
            return (
                f"other_author: only {shared} of its {len(own)} lines are in the current version of this id"
            )
    return ""


def _keep(
    source: Source, facts: Facts | EngineError | None, release_set: ReleaseSet, may_replace: bool
) -> Version:
    """The version with this digest, stored if it is new. Raises the error among facts, _Asks, SourceError.

    Of a known one only the published baseline is taken over: it is said of the version, not part of it.
    """
    if isinstance(facts, EngineError):
        raise facts
    if facts is not None and not may_replace and (doubt := doubt_of_author(source)):
        raise _Asks("asks", doubt)
    loading.check_metadata(source)
    with transaction.atomic():
        Environment.objects.get_or_create(code=source.environment_id, defaults={"release_set": release_set})
        environment = Environment.objects.select_for_update().get(code=source.environment_id)
        if known := environment.versions.filter(digest=source.digest).first():
            _take_baseline(known, source)
            if known.is_draft:
                known.is_draft, known.imported_at = False, timezone.now()
                known.save(update_fields=["is_draft", "imported_at"])
                settle_imported(known)
            return known
        assert facts is not None
        return loading.store_version(environment, source, facts)


def _take_baseline(version: Version, source: Source) -> None:
    published = source.metadata.get(BASELINE)
    if version.metadata.get(BASELINE) != published:
        rest = {name: value for name, value in version.metadata.items() if name != BASELINE}
        version.metadata = rest if published is None else {**rest, BASELINE: published}
        version.save(update_fields=["metadata"])


def _take_current(stored: list[tuple[Source, Version, Facts | None]], may_replace: bool) -> _Chosen:
    """Makes the last version current that may be, with the folder's note."""
    before = Environment.objects.select_related("current").get(pk=stored[-1][1].environment_id).current
    for source, version, _ in reversed(stored):
        if may_replace or not roll_back(version, before):
            make_current(version, title=source.title, note=loading.note_in(Path(source.path).parent))
            status: loading.Status = "unchanged" if before == version else "new_version"
            return _Chosen(version.pk, "imported" if before is None else status)
    last = stored[-1][1]
    return _Chosen(last.pk, "asks", roll_back(last, before))


def _claims(found: list[Source], directory: Path) -> list[str]:
    """A remark if several folders have one id: most likely a copy with the metadata of its original.

    Folders of versions are in one that is named by the id, maybe above what is imported.
    """
    own = [Path(source.path).parent for source in found]
    code = found[0].environment_id
    homes = dict.fromkeys(one.parent if one.parent.name == code and one != directory else one for one in own)
    names = [loading.folder_of(str(home), directory) for home in homes]
    return [f"the folders {' and '.join(names)} have this id, the last is current"] if len(names) > 1 else []
