"""Locks sessions in one order, so that no two transactions wait for each other."""

from collections.abc import Collection

from playtest.play.models import Session


def locked_sessions(sessions: Collection[int]) -> list[Session]:
    """Lock the rows in the order of the journal's writer, which locks them against a pause."""
    return list(
        Session.objects.select_for_update(of=("self",), no_key=True)
        .select_related("study", "participant", "protocol")
        .filter(pk__in=sessions)
        .order_by("pk")
    )
