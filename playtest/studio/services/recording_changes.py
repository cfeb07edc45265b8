"""Removes a developer's recording or changes its type, each with an audit line."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.errors import EngineError
from engine.play.actions import Action
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.studio.models import DEVELOPERS, Recording, RecordingChange, RecordingKind
from playtest.studio.recording_outcome import UNFINISHED, Outcome, Script, find_outcome
from playtest.studio.services.qualifications import source_of
from playtest.studio.services.recordings import content_digest

LONGEST_REASON = 2_000


def remove(recording: Recording, reason: str, by: Staff | None) -> RecordingChange:
    """Removes a recording; importing the same file again does not restore it.

    RuleError: reason_missing, not_a_developers_recording, recording_changed when somebody else was faster.
    """
    change = _change(recording, "", reason, by)
    with transaction.atomic():
        if not Recording.objects.filter(pk=recording.pk, kind=recording.kind).delete()[0]:
            raise _changed()
        change.save()
    return change


def retype(recording: Recording, kind: str, reason: str, by: Staff | None) -> RecordingChange:
    """Makes it a win, a loss or unfinished, unless playing it now shows that it is not.

    RuleError: reason_missing, not_a_developers_recording, type_unknown, type_unchanged, recording_unplayable,
    recording_does_not_win, recording_wins, recording_name_taken, recording_changed.
    """
    change = _change(recording, _kind(kind, recording), reason, by)
    outcome = _outcome(recording)
    if outcome.wrong:
        raise RuleError("recording_unplayable", f"It cannot be played: {outcome.wrong} Remove it instead.")
    _check_type(change.after, outcome)
    fields = {
        "kind": change.after,
        "as_arcengine": outcome.as_arcengine,
        "levels_completed": list(outcome.levels_completed),
        "remark": _remark(recording, change.after, outcome),
        "digest": change.digest,
    }
    try:
        with transaction.atomic():
            if not Recording.objects.filter(pk=recording.pk, kind=recording.kind).update(**fields):
                raise _changed()
            change.save()
    except IntegrityError as error:
        message = (
            f"Another {change.after} of this version is called “{recording.name}”: remove that one first."
        )
        raise RuleError("recording_name_taken", message) from error
    return change


def _change(recording: Recording, after: str, reason: str, by: Staff | None) -> RecordingChange:
    reason = reason.strip()[:LONGEST_REASON]
    if not reason:
        raise RuleError("reason_missing", "Say why.")
    if recording.kind not in DEVELOPERS:
        message = (
            "Only a developer's recording can be changed: explorations and qualifications keep their own."
        )
        raise RuleError("not_a_developers_recording", message)
    return RecordingChange(
        version=recording.version,
        name=recording.name,
        digest=content_digest(recording),
        actions=len(recording.actions),
        before=recording.kind,
        after=after,
        reason=reason,
        changed_by=by,
        changed_at=timezone.now(),
    )


def _kind(kind: str, recording: Recording) -> RecordingKind:
    if kind not in DEVELOPERS:
        raise RuleError("type_unknown", "Choose win, loss or unfinished.")
    if kind == recording.kind:
        raise RuleError("type_unchanged", f"Its type is {kind} already.")
    return RecordingKind(kind)


def _outcome(recording: Recording) -> Outcome:
    hashes: list[str] = recording.state_hashes
    turns = 1 + len(recording.actions)
    script = Script(
        actions=tuple(Action(*action) for action in recording.actions),
        hashes=tuple([*hashes, *[None] * turns][:turns]),
        stated=(None,) * turns,
    )
    try:
        return find_outcome(source_of(recording.version), script, recording.seed)
    except EngineError as error:
        raise RuleError("recording_unplayable", f"It cannot be played: {error.message}") from error


def _check_type(kind: str, outcome: Outcome) -> None:
    wins = outcome.kind == RecordingKind.WIN
    if kind == RecordingKind.WIN and not wins:
        done = max(outcome.levels_completed)
        levels = "1 level" if done == 1 else f"{done} levels"
        message = f"Its replay completes {levels} and does not win: choose loss or unfinished."
        raise RuleError("recording_does_not_win", message)
    if kind != RecordingKind.WIN and wins:
        raise RuleError(
            "recording_wins", f"Its replay completes every level, so its type is win and not {kind}."
        )


def _remark(recording: Recording, after: str, outcome: Outcome) -> str:
    """The remark, without the sentence about its end if staff changed the type to loss."""
    said = recording.remark or outcome.remark
    return said.replace(UNFINISHED, "").strip() if after == RecordingKind.LOSS else said


def _changed() -> RuleError:
    return RuleError("recording_changed", "Somebody changed it meanwhile: load the page again.")
