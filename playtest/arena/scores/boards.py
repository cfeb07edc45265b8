"""The two boards: entries, harnesses, declarations and removals; standings.

Rows are only added.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db.models import Count, Q, QuerySet

from playtest.arena.models import Board, BoardEntry, Declaration, Harness, Removal, Scorecard
from playtest.arena.runs.custody import disclose, refusal_of_entry
from playtest.arena.scores.card_scores import CardScore, card_scores
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.rules.score import Reading

_DECLARED = ~Q(board=Board.OFFICIAL) | Q(declaration__isnull=False)


@dataclass(frozen=True)
class Standing:
    """An entry with its score as it is today."""

    entry: BoardEntry
    score: CardScore

    @property
    def cost(self) -> float | None:
        """In US dollars, over all environments of the card."""
        return self.score.usage.cost

    @property
    def harness(self) -> Harness | None:
        """Through which it was played; None on the community board."""
        return self.entry.declaration.harness if self.entry.board == Board.OFFICIAL else None


def entries(board: str) -> QuerySet[BoardEntry]:
    """The entries with a rank: those that were not removed and, on the official board, are declared."""
    found = BoardEntry.objects.filter(_DECLARED, board=board, removal__isnull=True)
    return found.select_related("card__key", "entered_by", "declaration__harness", "declaration__declared_by")


def undeclared() -> QuerySet[BoardEntry]:
    """Official entries that wait for a second person, oldest first."""
    found = BoardEntry.objects.filter(board=Board.OFFICIAL, declaration__isnull=True, removal__isnull=True)
    return found.select_related("card__key", "entered_by").order_by("entered_at", "pk")


def removed(board: str) -> QuerySet[BoardEntry]:
    """The entries that left a board, the last one first."""
    found = BoardEntry.objects.filter(board=board, removal__isnull=False)
    return found.select_related("card", "removal").order_by("-removal__removed_at", "-pk")


def harnesses() -> QuerySet[Harness]:
    """Every adopted harness, newest first, with how many `ranked` entries were played through it."""
    ranked = Count("declarations", filter=Q(declarations__entry__removal__isnull=True))
    return Harness.objects.annotate(ranked=ranked).order_by("-adopted_at", "-pk")


def newest_ranked_harness() -> Harness | None:
    """The newest one through which a ranked entry was played."""
    ranked = harnesses().filter(declarations__isnull=False, declarations__entry__removal__isnull=True)
    return ranked.first()


def standings(board: str, reading: Reading, harness: Harness | None = None) -> list[Standing]:
    """The ranked entries of a board, the best score first; of one harness if it is given."""
    found = entries(board)
    if harness is not None:
        found = found.filter(declaration__harness=harness)
    return standings_of(found, reading)


def standings_of(found: Iterable[BoardEntry], reading: Reading) -> list[Standing]:
    """The same of these entries, which may be of several boards."""
    listed = list(found)
    scores = card_scores([entry.card for entry in listed], reading)
    standing = [Standing(one, scores[one.card_id]) for one in listed]
    return sorted(standing, key=lambda one: (-(one.score.total or 0), one.entry.entered_at))


def enter(
    card: Scorecard, board: str, staff: Staff | None, *, agent: str, description: str, code_url: str = ""
) -> BoardEntry:
    """Put a closed card on a board, and count its score as disclosed.

    On the official board, `staff` is who ran the agent; the entry has no rank until somebody else declares
    how it was played. Refusal: board_unknown, agent_missing, description_missing, runner_missing (official
    board), code_url_missing (community board), code_url_invalid, already_entered, and as
    `runs.custody.refusal_of_entry`.
    """
    agent, description, code_url = agent.strip(), description.strip(), code_url.strip()
    if board not in Board:
        raise Refusal("board_unknown", "There is no such board: choose the official or the community board.")
    if not agent:
        raise Refusal("agent_missing", "Give the name of the agent.")
    if not description:
        raise Refusal("description_missing", "Describe how the agent works and how it was run.")
    if board == Board.OFFICIAL and staff is None:
        raise Refusal("runner_missing", "The official board names who ran the agent: sign in.")
    if board == Board.COMMUNITY and not code_url:
        raise Refusal("code_url_missing", "The community board needs the address of the agent's public code.")
    check_address(code_url)
    if refusal := refusal_of_entry(board, card):
        raise refusal
    with once("already_entered", "This scorecard is or was on a board. Let the agent play on a new one."):
        said = {"agent": agent, "code_url": code_url, "description": description}
        entry = BoardEntry.objects.create(card=card, board=board, entered_at=now(), entered_by=staff, **said)
        disclose(card)
    return entry


def adopt_harness(name: str, version: str, code_url: str, staff: Staff | None) -> Harness:
    """Adopts a harness in one version for the official board: entries played through it are ranked together.

    Refusal: harness_missing, code_url_invalid, harness_known.
    """
    name, version, code_url = (" ".join(given.split()) for given in (name, version, code_url))
    if not name or not version:
        raise Refusal("harness_missing", "Give the name of the harness and its version.")
    check_address(code_url)
    with once("harness_known", f"{name} {version} is adopted already."):
        return Harness.objects.create(
            name=name, version=version, code_url=code_url, adopted_at=now(), adopted_by=staff
        )


def declare(entry: BoardEntry, harness: Harness, staff: Staff, *, no_tools: bool, evidence: str) -> None:
    """Somebody else than who ran it declares how an official entry was played: from then on it has a rank.

    Refusal: not_official, already_removed, already_declared, own_run, tools_used, evidence_missing.
    """
    evidence = evidence.strip()
    if entry.board != Board.OFFICIAL:
        raise Refusal("not_official", "Only entries of the official board name a harness.")
    if Removal.objects.filter(entry=entry).exists():
        raise Refusal("already_removed", "This entry has been removed.")
    if entry.entered_by_id == staff.pk:
        raise Refusal("own_run", "You ran this agent: somebody else has to declare how it was played.")
    if not no_tools:
        message = "An agent with tools has no place on the official board: remove the entry."
        raise Refusal("tools_used", message)
    if not evidence:
        raise Refusal("evidence_missing", "Say what you looked at to know that the agent had no tools.")
    with once("already_declared", "It is declared already how this entry was played."):
        Declaration.objects.create(
            entry=entry, harness=harness, evidence=evidence, declared_at=now(), declared_by=staff
        )


def remove(entry: BoardEntry, staff: Staff | None, why: str) -> None:
    """Take an entry off its board; it stays stored with the reason. Refusal: why_missing, already_removed."""
    with once("already_removed", "This entry has been removed already."):
        Removal.objects.create(entry=entry, why=reason(why), removed_at=now(), removed_by=staff)


def reason(why: str) -> str:
    """Why something leaves a board. Refusal: why_missing."""
    if not (why := why.strip()):
        raise Refusal("why_missing", "Give the reason for the removal.")
    return why


def check_address(code_url: str) -> None:
    """Refusal code_url_invalid, unless there is no address or one of the web."""
    if code_url and not _is_web(code_url):
        raise Refusal("code_url_invalid", "The address of the code has to begin with https:// or http://.")


def _is_web(address: str) -> bool:
    try:
        found = urlsplit(address)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and bool(found.netloc)
