"""Enters scorecards on boards and removes them. Scores are derived when they are read, never stored."""

from urllib.parse import urlsplit

from django.db import IntegrityError, transaction

from playtest.arena.models import Board, BoardEntry, Scorecard
from playtest.arena.queries.custody import refusal_of_entry
from playtest.arena.services.disclosures import disclose
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal


def enter(
    card: Scorecard, board: str, staff: Staff | None, *, agent: str, description: str, code_url: str = ""
) -> BoardEntry:
    """Put a closed card on a board, and count its score as disclosed.

    Refusal: board_unknown, agent_missing, description_missing, code_url_missing (community board),
    code_url_invalid, already_entered, and as `queries.custody.refusal_of_entry`.
    """
    agent, description, code_url = agent.strip(), description.strip(), code_url.strip()
    if board not in Board:
        raise Refusal("board_unknown", "There is no such board: choose the official or the community board.")
    if not agent:
        raise Refusal("agent_missing", "Give the name of the agent.")
    if not description:
        raise Refusal("description_missing", "Describe how the agent works and how it was run.")
    if board == Board.COMMUNITY and not code_url:
        raise Refusal("code_url_missing", "The community board needs the address of the agent's public code.")
    if code_url and not _is_web(code_url):
        raise Refusal("code_url_invalid", "The address of the code has to begin with https:// or http://.")
    if refusal := refusal_of_entry(board, card):
        raise refusal
    try:
        with transaction.atomic():
            entry = BoardEntry.objects.create(
                card=card,
                board=board,
                agent=agent,
                code_url=code_url,
                description=description,
                entered_at=now(),
                entered_by=staff,
            )
            disclose(card)
    except IntegrityError as error:
        message = "This scorecard is or was on a board. Let the agent play on a new one."
        raise Refusal("already_entered", message) from error
    return entry


def remove(entry: BoardEntry, staff: Staff | None, why: str) -> None:
    """Take an entry off its board; it stays stored with the reason. Refusal: why_missing, already_removed."""
    why = why.strip()
    if not why:
        raise Refusal("why_missing", "Give the reason for the removal.")
    removed = BoardEntry.objects.filter(pk=entry.pk, removed_at__isnull=True).update(
        removed_at=now(), removed_by=staff, why_removed=why
    )
    if not removed:
        raise Refusal("already_removed", "This entry has been removed already.")


def _is_web(address: str) -> bool:
    try:
        found = urlsplit(address)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and bool(found.netloc)
