"""Locks the rows of studies, sessions and attempts: the one place that says in which order and how strongly.

Order: a study before its sessions, sessions by their number, a session before its attempts. So no two
transactions wait for each other; the journal's writer takes sessions before attempts, too.
Strength: FOR NO KEY UPDATE. It keeps out everybody else who locks here, and the writer's entries (FOR SHARE);
rows that only refer to a locked one, such as events, are inserted all the same.
All are called within a transaction, and hold until its end.
"""

from collections.abc import Collection

from playtest.play.models import Attempt, Session, Study


def locked_study(study_id: int) -> Study:
    """The study, locked: nobody is promised a place in it, checks in, or is assigned an environment."""
    return Study.objects.select_for_update(no_key=True).get(pk=study_id)


def locked_session(session_id: int) -> Session:
    """The session, locked, with its study, participant and protocol. Raises Session.DoesNotExist."""
    found = locked_sessions([session_id])
    if not found:
        raise Session.DoesNotExist
    return found[0]


def locked_sessions(session_ids: Collection[int]) -> list[Session]:
    """Those of these sessions that exist, locked."""
    return list(
        Session.objects.select_for_update(of=("self",), no_key=True)
        .select_related("study", "participant", "protocol")
        .filter(pk__in=session_ids)
        .order_by("pk")
    )


def locked_attempt(attempt_id: int) -> Attempt:
    """The attempt, locked, with its version and its session, if it has one, which is locked first.

    What is large in its version is not read. Raises Attempt.DoesNotExist.
    """
    of_attempt = Attempt.objects.filter(pk=attempt_id)
    sessions = locked_sessions(list(of_attempt.exclude(session=None).values_list("session", flat=True)))
    locked = of_attempt.select_for_update(of=("self",), no_key=True).select_related("version")
    attempt = locked.defer("version__source", "version__metadata").get()
    if sessions:
        attempt.session = sessions[0]
    return attempt
