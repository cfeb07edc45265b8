"""An installation in which every page has something to show."""

from collections.abc import Callable

from django.urls import reverse

from engine.play.recording import write
from playtest.arena.scores import dropped
from playtest.insight.models import StudyImport
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import (
    answer_survey,
    check_in,
    create_session,
    finish_tutorial,
    give_consent,
)
from playtest.studio.models import Import
from tests.engine.sources import moves
from tests.engine.test_recording import recorded
from tests.live.games import WALK
from tests.pages.people import everybody
from tests.pages.work import TASK, arena, studio, tasks
from tests.remembered import remembered
from tests.staff import staff

STEPS: list[tuple[str, Callable[[Session], object]]] = [
    ("consent", give_consent),
    ("survey", lambda session: answer_survey(session, {})),
    ("tutorial", finish_tutorial),
    ("board", lambda session: end_session(session, SessionEnd.ENDED_BY_STAFF)),
    ("thanks", lambda session: None),
]
"""The pages of a session, each with what leads to the next."""


@remembered
def bring_to_life() -> dict[str, str]:
    """People, their results, pay, jobs and agents; returns the seat of a participant at each stage."""
    lead = staff(Role.LEAD)
    study = everybody(lead, staff(Role.RESEARCHER))
    studio(staff(Role.DESIGNER), lead)
    arena(lead)
    tasks(lead)
    StudyImport.objects.create(
        path="theirs.zip",
        status=JobStatus.FAILED,
        requested_by=lead,
        requested_at=now(),
        error="data_unknown: no recording is in it.",
    )
    return seats(study)


def seats(study: Study) -> dict[str, str]:
    """The value of the cookie of somebody at the consent, the survey, the tutorial, the play, and the end."""
    found = {}
    for number, (page, _) in enumerate(STEPS):
        _, code = create_session(study, new_participant(), None)
        session, token = check_in(code, station=None)
        for _, step in STEPS[:number]:
            step(session)
        found[page] = f"{session.pk}.{token}"
    return found


def unlinked() -> list[str]:
    """Pages that no followed link leads to: after a form was sent, what only tasks have, and what links
    name with the server. A dropped recording is a file, so it is dropped here, and its list opened after it.

    Of all environments and studies, the pages of those with most to show are opened, which are interactive.
    """
    upload = Import.objects.get(into_sandbox=True)
    study = Study.objects.get(pool__code=TASK)
    walk = write(recorded("wk01", moves("".join(map(str, WALK)))))
    lines = [line.encode() for line in walk]
    token = dropped.drop(lines, sum(map(len, lines)), "walk.jsonl", "", staff(Role.LEAD))
    return [
        reverse("arena:dropped", args=[token]),
        reverse("arena:reference-agents"),
        reverse("studio:upload-job", args=[upload.pk]),
        reverse("studio:solutions", args=[TASK]),
        reverse("insight:study-tasks", args=[study.pk]),
    ]
