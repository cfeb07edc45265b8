"""What becomes of an upload: approved or declined by somebody who may import, withdrawn, replaced.

Each locks the environment first, so that a decision and a later upload take turns.
"""

from django.db import transaction
from django.utils import timezone

from playtest.jobs.models import UNFINISHED
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.text import storable
from playtest.studio.models import DEVELOPERS, Environment, UploadedVersion, UploadStatus, Version
from playtest.studio.services.catalogue import make_current
from playtest.studio.services.drafts import is_used
from playtest.studio.services.qualifications import source_of

LONGEST_TEXT = 2_000


def approve(pk: int, by: Staff, reason: str = "") -> UploadedVersion:
    """Makes an uploaded version an imported one, and the current one.

    RuleError: own_upload, upload_unfinished, upload_gone, upload_decided, text_unusable.
    """
    said = checked_text(reason)
    with transaction.atomic():
        upload = _locked(pk)
        if upload.uploaded_by_id == by.pk:
            message = "Somebody else approves an upload. Whoever may import can import it as well."
            raise RuleError("own_upload", message)
        if upload.job.status in UNFINISHED:
            raise RuleError("upload_unfinished", "Its recordings are being played: wait for their results.")
        _settle(upload, UploadStatus.APPROVED, said, by)
        version = upload.version
        version.is_draft, version.imported_at = False, timezone.now()
        version.save(update_fields=["is_draft", "imported_at"])
        make_current(version, title=source_of(version).title, note=upload.note)
    return upload


def decline(pk: int, by: Staff, reason: str) -> UploadedVersion:
    """Declines an upload; its version stays what it is. RuleError: as `approve`, and reason_missing."""
    said = checked_text(reason)
    if not said:
        raise RuleError("reason_missing", "Say why, so that the designer knows what to change.")
    with transaction.atomic():
        upload = _locked(pk)
        _settle(upload, UploadStatus.DECLINED, said, by)
    return upload


def withdraw(pk: int, by: Staff) -> bool:
    """Takes back one's own upload; returns whether it is kept, because somebody played it.

    RuleError: not_own_upload, upload_gone, upload_decided.
    """
    with transaction.atomic():
        upload = _locked(pk)
        if upload.uploaded_by_id != by.pk:
            raise RuleError("not_own_upload", "Only who uploaded it can take it back.")
        return _take_away(upload, UploadStatus.WITHDRAWN, by)


def replace(environment: Environment, by: Staff, keep: Version | None) -> None:
    """Takes away what this person has waiting for a locked environment, but for the version to keep."""
    waiting = UploadedVersion.objects.filter(
        version__environment=environment, uploaded_by=by, status=UploadStatus.WAITING
    )
    for upload in waiting.exclude(version=keep).select_related("version__environment"):
        _take_away(upload, UploadStatus.REPLACED, by)


def settle_imported(version: Version) -> None:
    """The same source was imported in another way: nothing is left to decide."""
    for upload in version.uploads.filter(status=UploadStatus.WAITING).select_related("version__environment"):
        _settle(upload, UploadStatus.APPROVED, "The same source was imported.", None)


def mark_seen(upload: UploadedVersion, by: Staff) -> None:
    """Notes that the uploader has read the decision."""
    if upload.uploaded_by_id == by.pk and upload.decided_at and not upload.seen_at:
        UploadedVersion.objects.filter(pk=upload.pk).update(seen_at=timezone.now())


def checked_text(text: str) -> str:
    """What somebody wrote, without the space around it. RuleError: text_unusable."""
    text = text.strip()
    if len(text) > LONGEST_TEXT or not storable(text):
        raise RuleError("text_unusable", f"Use at most {LONGEST_TEXT:,} characters of plain text.")
    return text


def _locked(pk: int) -> UploadedVersion:
    """A waiting upload, with its environment locked. RuleError: upload_gone, upload_decided."""
    list(Environment.objects.select_for_update().filter(versions__in=Version.objects.filter(uploads=pk)))
    rows = UploadedVersion.objects.select_related("version__environment", "job", "decided_by")
    upload = rows.filter(pk=pk).first()
    if upload is None:
        raise RuleError("upload_gone", "A later upload has taken its place, or it was withdrawn.")
    if upload.status != UploadStatus.WAITING:
        by = f" by {upload.decided_by.get_username()}" if upload.decided_by else ""
        status = UploadStatus(upload.status).label
        raise RuleError("upload_decided", f"It was {status}{by} meanwhile.")
    return upload


def _take_away(upload: UploadedVersion, status: UploadStatus, by: Staff) -> bool:
    """Deletes an upload with which nobody did anything, so that tries do not pile up; else settles it.

    Returns whether it is kept.
    """
    version = upload.version
    if _is_used(version, upload):
        _settle(upload, status, "", by)
        return True
    upload.delete()
    version.delete()
    return False


def _is_used(version: Version, upload: UploadedVersion) -> bool:
    """Whether anything refers to a version but this upload and the recordings that came with it."""
    return (
        version.uploads.exclude(pk=upload.pk).exists()
        or version.recordings.exclude(kind__in=DEVELOPERS).exists()
        or is_used(version, apart_from=("uploads", "recordings"))
    )


def _settle(upload: UploadedVersion, status: UploadStatus, reason: str, by: Staff | None) -> None:
    upload.before_id = upload.version.environment.current_id
    upload.status, upload.reason = status, reason
    upload.decided_by, upload.decided_at = by, timezone.now()
    fields = ["before", "status", "reason", "decided_by", "decided_at"]
    if by is not None and by.pk == upload.uploaded_by_id:
        upload.seen_at = upload.decided_at
        fields.append("seen_at")
    upload.save(update_fields=fields)
