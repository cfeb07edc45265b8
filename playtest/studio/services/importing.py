"""Imports environments in the official layout as immutable versions."""

from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from engine.errors import EngineError, one_line
from engine.play.source import Source
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.processes.game import Facts
from playtest.studio.services import loading
from playtest.studio.services.catalogue import make_current
from playtest.studio.services.recordings import keep_recordings
from playtest.studio.services.upload_decisions import settle_imported

BASELINE = "baseline_actions"


def load_environments(
    directory: Path,
    report: loading.Report = lambda done, total, results: None,
    *,
    only_known: bool = False,
    release_set: ReleaseSet = ReleaseSet.NONE,
    with_recordings: bool = True,
) -> list[loading.LoadResult]:
    """Imports what is new in a games folder; known versions stay as they are, broken ones are rejected.

    Importing a known version again makes it the current one, with the folder's note. With `only_known`,
    only recordings of versions that were imported before are taken. Of several versions of one environment,
    the one in the last folder by name becomes the current one. An environment is imported as a
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
    )
    return loading.load(directory, report, keep)


def _import(
    inspected: list[loading.Inspected],
    waiting: loading.Waiting,
    directory: Path,
    only_known: bool,
    release_set: ReleaseSet,
    with_recordings: bool,
) -> tuple[list[loading.LoadResult], list[loading.LoadResult]]:
    """Imports the versions of one environment: the rejections, and the results of the others."""
    if only_known:
        inspected = [(source, facts) for source, facts in inspected if facts is None]
    rejected: list[loading.LoadResult] = []
    stored: list[tuple[Source, Version, Facts | None]] = []
    with transaction.atomic():
        for source, facts in inspected:
            try:
                if isinstance(facts, EngineError):
                    raise facts
                stored.append((source, _keep(source, facts, release_set), facts))
            except EngineError as error:
                rejected.append(loading.rejection(source.environment_id, error, directory))
        status: loading.Status = "unchanged"
        if stored and not only_known:
            status = _take_current(*stored[-1][:2])
    several = len({version.pk for _, version, _ in stored}) > 1
    results = []
    for source, version, facts in stored:
        last = version.pk == stored[-1][1].pk
        if last and source is not stored[-1][0]:
            continue
        notes = [f"version {version.digest[:8]} in {_where(source, directory)}"] if several else []
        notes += loading.printing(facts)
        notes += _claims([source for source, _ in inspected], directory) if last else []
        if with_recordings:
            notes += keep_recordings(version, Path(source.path).parent, waiting)
        own_status = status if last else "older_version"
        results.append(loading.LoadResult(source.environment_id, own_status, "; ".join(notes)))
    return rejected, results


def _keep(source: Source, facts: Facts | None, release_set: ReleaseSet) -> Version:
    """The version with this digest, stored if it is new. Raises SourceError metadata_invalid.

    Of a known one only the published baseline is taken over: it is said of the version, not part of it.
    """
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


def _take_current(source: Source, version: Version) -> loading.Status:
    """Makes it current, with the folder's note."""
    before = Environment.objects.values_list("current", flat=True).get(code=source.environment_id)
    make_current(version, title=source.title, note=loading.note_in(Path(source.path).parent))
    if before is None:
        return "imported"
    return "unchanged" if before == version.pk else "new_version"


def _claims(found: list[Source], directory: Path) -> list[str]:
    """A remark if several folders have one id: most likely a copy with the metadata of its original."""
    folders = dict.fromkeys(loading.folder_of(source.path, directory) for source in found)
    return (
        [f"the folders {' and '.join(folders)} have this id, the last is current"] if len(folders) > 1 else []
    )


def _where(source: Source, directory: Path) -> str:
    """The folder of a source, as it is called in `directory`."""
    return one_line(str(Path(source.path).parent.relative_to(directory)))
