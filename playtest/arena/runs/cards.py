"""Opens, uses and closes scorecards; which environments they may play; begins their runs, also again."""

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Min, QuerySet

from playtest.arena.models import ApiKey, CardNote, CloseReason, Play, Run, Scorecard
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import AgentNote, Attempt
from playtest.play.sessions.attempts import begin_run, end_attempt
from playtest.play.sessions.reads import last_seq
from playtest.rules.attempt import Outcome
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import Environment, ReleaseSet, Version

IDLE = timedelta(minutes=15)
LONGEST_OPEN = timedelta(hours=72)
"""As the official toolkit leaves a card open by default."""
LONGEST_NOTE = 2000


def open_card(
    key: ApiKey,
    *,
    competition: bool = False,
    strict: bool = False,
    source_url: str = "",
    tags: Sequence[str] = (),
    opaque: Any = None,
    card_id: uuid.UUID | None = None,
) -> Scorecard:
    """Open a card for the sets of a key. `card_id` makes a repeated request open it once.

    Refusal card_open (409): a competition card is a key's only open one, whichever of them is opened first.
    """
    if card_id and (known := Scorecard.objects.filter(key=key, card_id=card_id).first()):
        return known
    close_due(key)
    moment = now()
    try:
        with transaction.atomic():
            ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk)
            others = Scorecard.objects.filter(key=key, closed_at=None)
            if running := (others if competition else others.filter(competition=True)).first():
                raise Refusal("card_open", _only_one(running))
            return Scorecard.objects.create(
                card_id=card_id or uuid.uuid4(),
                key=key,
                sets=key.sets,
                competition=competition,
                strict=strict,
                source_url=source_url,
                tags=list(tags),
                opaque=opaque,
                opened_at=moment,
                used_at=moment,
            )
    except IntegrityError:  # the same request, at the same moment, at another process
        if card_id is None:
            raise
        return Scorecard.objects.get(key=key, card_id=card_id)


def _only_one(running: Scorecard) -> str:
    kind = "a competition card" if running.competition else "an open card"
    first = f"This key has {kind}, {running.card_id}: close it first by POST /api/scorecard/close"
    return (
        f"{first}, or wait: it closes after 15 minutes without use. A competition card is the only open one."
    )


def use_card(card_id: int, at: datetime) -> None:
    """Note that an open card was used."""
    Scorecard.objects.filter(pk=card_id, closed_at=None, used_at__lt=at).update(used_at=at)


def close_card(card_id: int, reason: CloseReason) -> bool:
    """Close a card now and end its runs (CARD_CLOSED); False if it was closed already."""
    with transaction.atomic():
        card = Scorecard.objects.select_for_update().get(pk=card_id)
        if card.closed_at is not None:
            return False
        moment = now()
        playing = Attempt.objects.filter(play__run__card=card, ended_at=None)
        for attempt in playing.order_by("pk").values_list("pk", flat=True):
            end_attempt(attempt, Outcome.CARD_CLOSED, moment)
        card.closed_at, card.close_reason = moment, reason
        card.save(update_fields=["closed_at", "close_reason"])
    return True


def why_due(card: Scorecard, moment: datetime) -> CloseReason | None:
    """Why an open card has to be closed at this moment, if it has."""
    if moment - card.opened_at >= LONGEST_OPEN:
        return CloseReason.TOO_OLD
    return CloseReason.IDLE if moment - card.used_at >= IDLE else None


def close_due(key: ApiKey | None = None) -> int:
    """Close every card, or every one of a key, that is idle or too old; how many."""
    found = Scorecard.objects.filter(closed_at=None)
    if key is not None:
        found = found.filter(key=key)
    moment, closed = now(), 0
    for card in found:
        if reason := why_due(card, moment):
            closed += close_card(card.pk, reason)
    return closed


def begin(
    card: Scorecard, version: Version, guid: uuid.UUID | None, reasoning: str, request_key: str
) -> tuple[Run, bool]:
    """A new run of this version on a card, and True. With the `guid` of a run that has begun, that and False.

    `reasoning` (JSON text) and `request_key` came with the RESET; empty without.
    Refusal: card_closed; environment_played, if it is a competition card that has played the environment.
    """
    try:
        with transaction.atomic():
            locked = _open(card)
            if guid and (begun := Run.objects.filter(guid=guid).first()):
                return begun, False
            if locked.competition and locked.runs.filter(environment=version.environment_id).exists():
                message = "In competition mode an environment is played once, and RESET needs its guid."
                raise Refusal("environment_played", message)
            run = Run.objects.create(
                card=locked,
                guid=guid or uuid.uuid4(),
                environment_id=version.environment_id,
                version=version,
                started_at=now(),
            )
            _play(run, 1, reasoning, request_key)
            return run, True
    except IntegrityError:  # the same request, at the same moment, at another process
        if guid is None:
            raise
        return Run.objects.get(guid=guid), False


def begin_again(run: Run, number: int, seq: int | None, reasoning: str, request_key: str) -> Play:
    """A full reset: the play with this number ends RESTARTED, if it has not ended, and the next one begins.

    Refusal: card_closed; competition, where there is none; resync_required, when the play is no longer the
    run's last or its journal no longer ends with `seq` (None for a play that has ended).
    """
    with transaction.atomic():
        card = _open(run.card)
        if card.competition:
            raise Refusal("competition", "In competition mode only levels are reset.")
        last = run.plays.order_by("-number").first()
        if last is None or last.number != number or seq not in (None, last_seq(last.attempt_id)):
            raise Refusal("resync_required", "Another process has played this run.")
        end_attempt(last.attempt_id, Outcome.RESTARTED, now())
        return _play(run, number + 1, reasoning, request_key)


def _open(card: Scorecard) -> Scorecard:
    """The card, locked: it cannot be closed meanwhile. Refusal card_closed."""
    locked = Scorecard.objects.select_for_update().get(pk=card.pk)
    if locked.closed_at is not None:
        raise Refusal("card_closed", f"The card {locked.card_id} is closed: open another one.")
    return locked


def _play(run: Run, number: int, reasoning: str, request_key: str) -> Play:
    attempt: Attempt = begin_run(run.version)
    if reasoning or request_key:
        AgentNote.objects.create(attempt=attempt, seq=0, reasoning=reasoning, request_key=request_key)
    return Play.objects.create(run=run, number=number, attempt=attempt)


def add_note(card: Scorecard, text: str, staff: Staff) -> CardNote:
    """Adds a note to a card. Refusal (400): note_missing, note_too_long."""
    text = text.strip()
    if not text:
        raise Refusal("note_missing", "Write the note first.", status=400)
    if len(text) > LONGEST_NOTE:
        raise Refusal("note_too_long", f"A note has at most {LONGEST_NOTE:,} characters.", status=400)
    return CardNote.objects.create(card=card, text=text, written_at=now(), written_by=staff)


def offered(sets: Collection[str]) -> list[Version]:
    """The current version of every interactive environment of these release sets, by code.

    Programs answer static tasks with a file: their versions, which hold the solutions, are never offered.
    """
    return list(_offered(sets).order_by("environment__code"))


def offered_by_id(sets: Collection[str], game_id: str) -> Version | None:
    """The version with this id, or the current one of the environment with this code; None if not offered."""
    code = game_id.partition("-")[0]
    version = _offered(sets).filter(environment__code=code).first()
    return version if version is not None and game_id in (code, game_id_of(version)) else None


def not_offered(sets: Collection[str], game_id: str) -> str:
    """Why there is no environment with this id, and what to do; of a public set it names the version here."""
    current = offered_by_id(sets, game_id.partition("-")[0])
    if current is None or not may_disclose(current.environment.release_set, Fact.SOURCE):
        return f"game {game_id} not found: GET /api/games lists those of this key."
    code, here = current.environment.code, game_id_of(current)
    return f"game {game_id} not found: the version of {code} here is {here}. Ask for it, or for {code} alone."


def game_id_of(version: Version) -> str:
    """The official id, the code and the version, such as "ls20-9607627b"."""
    return version.game_id if "-" in version.game_id else f"{version.game_id}-{version.digest[:8]}"


def unplayed(
    cards: Iterable[Scorecard], begun: Collection[tuple[int, int]] | None = None
) -> dict[int, list[Version]]:
    """By card, what a competition card scores as 0 because it has no run there, in one query for all of them.

    That is the current version of each environment of the card's sets that was there when it was opened.
    `begun` has the card and the environment (primary keys) of each run, if they are known.
    """
    entered = [card for card in cards if card.competition]
    found = _offered({one for card in entered for one in card.sets})
    since = found.annotate(since=Min("environment__versions__imported_at")).order_by("environment__code")
    versions = list(since.defer("source"))
    if begun is None:
        begun = set(Run.objects.filter(card__in=entered).values_list("card__pk", "environment"))
    return {
        card.pk: [
            version
            for version in versions
            if version.environment.release_set in card.sets
            and version.since <= card.opened_at
            and (card.pk, version.environment_id) not in begun
        ]
        for card in entered
    }


def _offered(sets: Collection[str]) -> QuerySet[Version]:
    chosen = [one for one in sets if one != ReleaseSet.NONE]
    current = Environment.objects.interactive().filter(release_set__in=chosen).values("current")
    versions = Version.objects.filter(pk__in=current)
    return versions.select_related("environment")
