"""Reads of exports, and of one frame."""

from django.db.models import Q, QuerySet

from engine.play.frames import Frame, keyframe_at_end, unpack
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Study
from playtest.review.attempt_film import turns
from playtest.review.damaged_entries import damage_refused
from playtest.review.models import RUN_KINDS, Export
from playtest.studio.models import Environment


def of_people_and_studies() -> QuerySet[Export]:
    """All but those of agents' runs, which the arena lists."""
    return Export.objects.exclude(kind__in=RUN_KINDS)


def visible_exports(staff: Staff) -> QuerySet[Export]:
    """The exports that this person may download, newest first; study data needs a right."""
    related = ("attempt__environment", "attempt__participant", "attempt__staff", "study")
    rows = of_people_and_studies().select_related(*related)
    if not staff.may(Right.TAKE_DATA):
        rows = rows.filter(study__isnull=True)
    if not staff.may(Right.TAKE_IDENTIFIED):
        rows = rows.filter(Q(options__identified=False) | ~Q(options__has_key="identified"))
    return rows.select_related("requested_by").order_by("-requested_at", "-pk")


def missing_right(staff: Staff, export: Export) -> Right | None:
    """The right that this person lacks to cancel or download the export, beside watching attempts."""
    needed = [Right.TAKE_DATA] if export.study_id else []
    if export.attempt is not None and export.attempt.is_run:
        needed.append(Right.READ_BOARDS)
    if export.options.get("identified"):
        needed.append(Right.TAKE_IDENTIFIED)
    return next((right for right in needed if not staff.may(right)), None)


def environments_of(export: Export) -> QuerySet[Environment]:
    """The environments whose play is in the file: of one attempt, or all of a study or a person."""
    if export.study:
        return environments_of_study(export.study)
    if export.person:
        return Environment.objects.filter(pk__in=export.person.attempts.values("environment"))
    return Environment.objects.filter(attempts=export.attempt_id)


def environments_of_study(study: Study) -> QuerySet[Environment]:
    """The environments that somebody played in a study."""
    return Environment.objects.filter(
        pk__in=Attempt.objects.filter(session__study=study).values("environment")
    )


def has_frame(attempt: Attempt, action: int, number: int | None) -> bool:
    """Whether `find_frame` finds one, without reading any."""
    return attempt.entries.filter(seq=action, frame_count__gte=number or 1).exists()


def find_frame(attempt: Attempt, action: int, number: int | None) -> Frame | None:
    """A frame of an action, counted from 1, the last by default; None when there is none."""
    for entry, frames in turns(attempt, *_level_entered(attempt, action)):
        if entry.seq == action:
            wanted = len(frames) if number is None else number
            return frames[wanted - 1] if wanted <= len(frames) else None
    return None


def _level_entered(attempt: Attempt, action: int) -> tuple[int, Frame | None]:
    """The last entry before an action that entered a level, and that level's first frame.

    It needs no frame before it (`engine.play.frames`), so that nothing of earlier levels is read. -1 and
    None if the action is on the first level, or in older journals.
    """
    entered = attempt.entries.filter(seq__lt=action, level_completed=True).order_by("-seq").first()
    if entered is None:
        return -1, None
    with damage_refused(entered):
        whole = keyframe_at_end(inflate(entered.frames))
        return (-1, None) if whole is None else (entered.seq, unpack(whole))
