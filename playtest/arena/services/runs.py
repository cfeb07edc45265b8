"""Begins the runs of a card, and begins a run again after a full reset."""

import uuid
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from playtest.arena.models import Play, Run, Scorecard
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import AgentNote, Attempt
from playtest.play.sessions.attempts import begin_run, end_attempt
from playtest.play.sessions.reads import last_seq
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version


@dataclass(frozen=True, slots=True)
class Sent:
    """What came with a RESET: its reasoning as JSON text and its Idempotency-Key; empty without."""

    reasoning: str = ""
    request_key: str = ""


def begin(card: Scorecard, version: Version, guid: uuid.UUID | None, sent: Sent) -> tuple[Run, bool]:
    """A new run of this version on a card, and True. With the `guid` of a run that has begun, that and False.

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
            _play(run, 1, sent)
            return run, True
    except IntegrityError:  # the same request, at the same moment, at another process
        if guid is None:
            raise
        return Run.objects.get(guid=guid), False


def begin_again(run: Run, number: int, seq: int | None, sent: Sent) -> Play:
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
        return _play(run, number + 1, sent)


def _open(card: Scorecard) -> Scorecard:
    """The card, locked: it cannot be closed meanwhile. Refusal card_closed."""
    locked = Scorecard.objects.select_for_update().get(pk=card.pk)
    if locked.closed_at is not None:
        raise Refusal("card_closed", f"The card {locked.card_id} is closed: open another one.")
    return locked


def _play(run: Run, number: int, sent: Sent) -> Play:
    attempt: Attempt = begin_run(run.version)
    if sent.reasoning or sent.request_key:
        AgentNote.objects.create(
            attempt=attempt, seq=0, reasoning=sent.reasoning, request_key=sent.request_key
        )
    return Play.objects.create(run=run, number=number, attempt=attempt)
