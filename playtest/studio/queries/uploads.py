"""Uploads in the sandbox: the lists, what waits for whom, and what an upload would change."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from engine.play.packing import is_library, modules_in
from playtest.jobs.models import UNFINISHED
from playtest.people.manifests import Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.pipeline import Fact, Need
from playtest.rules.source_changes import Change, Line, all_lines, changed_lines, unseen
from playtest.studio.models import Environment, Import, UploadedVersion, UploadStatus, Version
from playtest.studio.queries import gates
from playtest.studio.queries.redundancy import marks_of
from playtest.studio.queries.waivers import applied, granted

LONGEST_SHOWN = 1_000_000
"""Characters of a source on a page. A longer one is taken as a file."""
_MOST_LISTED = 200
_TRIED_LATELY, _MOST_TRIED = timedelta(days=7), 10
_MOST_OPEN = 15


@dataclass(frozen=True)
class ChangedFile:
    """A file of an upload, or a module of its source, beside the one before.

    `lines` are the changed ones, or all where there was none before. `unseen` counts characters
    that a reader would not see. Nothing is in `lines` of a file that is `too_long` to show.
    A few lines `opens` the page with; the rest is opened by the reader.
    """

    name: str
    lines: list[Line]
    is_changed: bool
    is_whole: bool
    unseen: int
    too_long: bool
    is_library: bool = False
    opens: bool = False

    @property
    def counts(self) -> Counter[Change]:
        return Counter(line.change for line in self.lines)


def uploads_for(reader: Staff) -> QuerySet[UploadedVersion]:
    """Every upload for who approves them, else the reader's own."""
    found = UploadedVersion.objects.select_related("uploaded_by", "decided_by", "job")
    if reader.may(Right.IMPORT_ENVIRONMENTS):
        return found
    return found.filter(uploaded_by=reader)


def waiting_uploads(reader: Staff) -> list[UploadedVersion]:
    """Those that wait, the oldest first."""
    return list(_listed(reader).filter(status=UploadStatus.WAITING).order_by("uploaded_at"))


def decided_uploads(reader: Staff) -> list[UploadedVersion]:
    """Those that are decided, the latest first."""
    decided = _listed(reader).exclude(status=UploadStatus.WAITING)
    return list(decided.order_by("-decided_at", "-pk")[:_MOST_LISTED])


RESULTS = {
    UploadStatus.WAITING: "waits",
    UploadStatus.APPROVED: "approved",
    UploadStatus.DECLINED: "declined",
    UploadStatus.WITHDRAWN: "gone",
    UploadStatus.REPLACED: "gone",
}
"""What a page says of an environment that was put in the sandbox, by what became of the upload."""


def tried_uploads(reader: Staff) -> list[Import]:
    """Jobs of the last days that are not over, or that rejected something; the latest first."""
    jobs = Import.objects.filter(into_sandbox=True, requested_at__gt=timezone.now() - _TRIED_LATELY)
    if not reader.may(Right.IMPORT_ENVIRONMENTS):
        jobs = jobs.filter(requested_by=reader)
    found = jobs.select_related("requested_by").order_by("-pk")[:_MOST_LISTED]
    wanted = (one for one in found if one.status in UNFINISHED or one.error or _rejects(one))
    return list(islice(wanted, _MOST_TRIED))


def _rejects(job: Import) -> bool:
    return any(result["status"] == "rejected" for result in job.results)


def waiting_for(reader: Staff) -> Waits:
    """How many uploads wait for this person's approval, or were decided since they looked."""
    if reader.may(Right.IMPORT_ENVIRONMENTS):
        found = UploadedVersion.objects.filter(status=UploadStatus.WAITING).exclude(uploaded_by=reader)
        return waiting(found.count(), "upload", "for approval")
    if reader.may(Right.UPLOAD_VERSIONS):
        decided = UploadedVersion.objects.filter(uploaded_by=reader, decided_at__isnull=False, seen_at=None)
        number = decided.count()
        return Waits(number, f"upload{'' if number == 1 else 's'} decided")
    return Waits(0, "")


def waiting_of(environment: Environment) -> list[UploadedVersion]:
    """The uploads of an environment that wait."""
    found = UploadedVersion.objects.filter(version__environment=environment, status=UploadStatus.WAITING)
    return list(found.select_related("uploaded_by", "version").defer("version__source").order_by("pk"))


def version_before(upload: UploadedVersion) -> Version | None:
    """The version that an upload is compared with: the current one, or the one when it was decided."""
    return upload.before if upload.decided_at else upload.version.environment.current


def changed_files(upload: UploadedVersion, before: Version | None) -> list[ChangedFile]:
    """The modules of the source, the metadata and the note, beside those before; alone without any."""
    after = upload.version
    files = [
        *_changed_modules(before.source if before else "", after.source),
        _changed_file("metadata.json", _text(before.metadata) if before else "", _text(after.metadata)),
    ]
    note = after.environment.note
    if upload.note and not upload.decided_at:
        files.append(_changed_file("NOTE.md", note if before else "", upload.note))
    elif upload.note:
        files.append(_changed_file("NOTE.md", "", upload.note))
    shown, result = 0, []
    for file in files:
        shown += len(file.lines)
        result.append(dataclasses.replace(file, opens=shown <= _MOST_OPEN))
    return result


def gates_of(upload: UploadedVersion) -> list[Fact]:
    """What the studio's gates would say if the upload were the current version, waivers included."""
    environment = copy(upload.version.environment)
    environment.current = upload.version
    environment.note = upload.note or environment.note
    found = gates.facts([environment], marks_of([environment]))[environment.pk]
    del found[Need.VERSION]
    return [*applied(found, granted([environment])[environment.pk]).values()]


def _changed_modules(before: str, after: str) -> Iterator[ChangedFile]:
    old, new = modules_in(before), modules_in(after)
    for name in new | old:
        texts = old.get(name, ""), new.get(name, "")
        if any(texts):
            label = name or ("Source" if len(new) == 1 else "The beginning, with its imports")
            file = _changed_file(label, *texts)
            yield dataclasses.replace(file, is_library=is_library(name))


def _changed_file(name: str, before: str, after: str) -> ChangedFile:
    too_long = max(len(before), len(after)) > LONGEST_SHOWN
    is_whole = not before
    lines: list[Line] = []
    if not too_long:
        lines = all_lines(after) if is_whole else changed_lines(before, after)
    hidden = 0 if too_long else unseen(after)
    return ChangedFile(name, lines, before != after, is_whole, hidden, too_long)


def _text(metadata: Mapping[str, Any]) -> str:
    return json.dumps(metadata, indent=2, sort_keys=True, ensure_ascii=False)


def _listed(reader: Staff) -> QuerySet[UploadedVersion]:
    found = uploads_for(reader).select_related("version__environment__owner")
    return found.defer("version__source", "version__metadata", "version__environment__note")
