"""Uploads by designers: versions that nobody but staff can play until they are approved.

A version in the sandbox is a draft, which is never current: no study, session, set or agent plays it. An
upload changes nothing of the environment: not its current version, note, title, set, stage, nor the
recordings and metadata of what was imported.
"""

from functools import partial
from pathlib import Path

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.errors import EngineError
from engine.play.source import Source
from playtest.people.models import Staff
from playtest.studio.models import Environment, Import, SightingKind, UploadedVersion, UploadStatus, Version
from playtest.studio.processes.game import Facts
from playtest.studio.queries.catalogue import equal_elsewhere
from playtest.studio.queries.given_baseline import baseline_fault
from playtest.studio.services import loading
from playtest.studio.services.importing import doubt_of_author
from playtest.studio.services.recordings import keep_recordings
from playtest.studio.services.sightings import note_sightings
from playtest.studio.services.upload_decisions import replace

MOST_WAITING = 20
"""Environments for which one person can have an upload waiting."""
_KNOWN = "this version was imported before: an upload changes nothing of it"
_LATER = "a later upload has taken its place meanwhile"
_OTHER_METADATA = "this source was uploaded before with other metadata, and keeps those"


def load_uploads(directory: Path, job: Import, by: Staff, report: loading.Report) -> list[loading.LoadResult]:
    """Puts what is in a folder into the sandbox, where it waits for approval. Raises as `loading.load`."""
    return loading.load(directory, report, partial(_keep, directory=directory, job=job, by=by))


def _keep(
    inspected: list[loading.Inspected], waiting: loading.Waiting, directory: Path, job: Import, by: Staff
) -> tuple[list[loading.LoadResult], list[loading.LoadResult]]:
    """Keeps the version of one environment: its rejection, or its result."""
    source, facts = inspected[-1]
    code = source.environment_id
    if len(inspected) > 1:
        reason = "several_versions: upload one version of an environment at a time."
        return [loading.LoadResult(code, "rejected", reason)], []
    if isinstance(facts, EngineError):
        return [loading.rejection(code, facts, directory)], []
    if facts is None:
        return [], [loading.LoadResult(code, "unchanged", _KNOWN)]
    try:
        found = _put(source, facts, job, by)
    except EngineError as error:
        return [loading.rejection(code, error, directory)], []
    if isinstance(found, loading.LoadResult):
        return ([found], []) if found.status == "rejected" else ([], [found])
    notes = loading.printing(facts) + baseline_fault(source.baseline_actions, facts.levels)
    notes += [doubt] if (doubt := doubt_of_author(source)) else []
    notes += equal_elsewhere(found.version)
    notes += [_OTHER_METADATA] if found.version.metadata != source.metadata else []
    try:
        remarks = "; ".join([*notes, *keep_recordings(found.version, _folder(source), waiting)])
    except IntegrityError:
        if Version.objects.filter(pk=found.version.pk).exists():
            raise
        return [], [loading.LoadResult(code, "unchanged", _LATER)]
    UploadedVersion.objects.filter(pk=found.pk).update(remarks=remarks)
    return [], [loading.LoadResult(code, "waits", remarks)]


def _put(source: Source, facts: Facts, job: Import, by: Staff) -> UploadedVersion | loading.LoadResult:
    """The upload, stored; or why there is none. Raises SourceError metadata_invalid."""
    code = source.environment_id
    with transaction.atomic():
        new = {"title": source.title[:100], "owner": by}
        Environment.objects.get_or_create(code=code, defaults=new)
        environment = Environment.objects.select_for_update().get(code=code)
        if environment.versions.filter(uploads__uploaded_by=by, uploads__job__gt=job.pk).exists():
            return loading.LoadResult(code, "unchanged", _LATER)  # workers took them in another order
        version = environment.versions.filter(digest=source.digest).first()
        if version is not None and not version.is_draft:
            return loading.LoadResult(code, "unchanged", _KNOWN)
        waits = version and version.uploads.filter(status=UploadStatus.WAITING).exclude(uploaded_by=by)
        if waits and (other := waits.select_related("uploaded_by").first()):
            who = other.uploaded_by.get_username()
            return loading.LoadResult(code, "unchanged", f"{who} has uploaded the same source, which waits.")
        mine = UploadedVersion.objects.filter(uploaded_by=by, status=UploadStatus.WAITING)
        if mine.exclude(version__environment=environment).count() >= MOST_WAITING:
            message = f"at most {MOST_WAITING} environments of one person wait: withdraw one, or wait."
            return loading.LoadResult(code, "rejected", f"too_many_waiting: {message}")
        same = version is not None and version.metadata == source.metadata
        replace(environment, by, version if same else None)
        version = environment.versions.filter(digest=source.digest).first()
        if version is None:
            version = loading.store_version(environment, source, facts, is_draft=True)
        upload, _ = UploadedVersion.objects.update_or_create(
            version=version,
            status=UploadStatus.WAITING,
            defaults={
                "job": job,
                "comment": job.comment,
                "note": loading.note_in(_folder(source)),
                "uploaded_by": by,
                "uploaded_at": timezone.now(),
            },
        )
    note_sightings([environment.pk], SightingKind.SOURCE, by)
    return upload


def _folder(source: Source) -> Path:
    return Path(source.path).parent
