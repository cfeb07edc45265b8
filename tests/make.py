"""Makes people, sessions and attempts with the real services and journal, without a server."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from secrets import randbelow, token_hex
from typing import Any

from django.conf import settings
from django.db import transaction

from engine.confine.answers import facts_of
from engine.play import source as sources
from engine.play.actions import CLICK, Action
from engine.play.frames import encode
from engine.play.game import Game
from engine.play.turns import EncodedFrames, EncodedTurn, Turn
from playtest.insight.tables.acceptance import verdicts
from playtest.people.models import Consent, Participant, Staff, Survey
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play import clock
from playtest.play.clock import now
from playtest.play.journal.entries import Provenance, new_entry, start_of
from playtest.play.models import Attempt, Entry, Event, EventKind, InputKind, Session, SessionEnd, Study
from playtest.play.sessions import clocks
from playtest.play.sessions.attempts import end_attempt, open_next, set_first_frame
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.play.sessions.reads import last_seq
from playtest.play.sessions.studies import change_study, create_study, freeze_protocol
from playtest.rules.acceptance import Verdict
from playtest.rules.attempt import Outcome
from playtest.rules.codes import LIFETIME
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment, Version
from playtest.studio.processes.game import Facts
from playtest.studio.services import loading
from tests.protocols import prescribed
from tests.staff import staff

ENVIRONMENTS = Path(__file__).parent / "environments"

type Act = int | tuple[int, int]
"""An action's id, or the cell of a click."""


def environment(code: str = "wk01") -> Environment:
    """A test environment, imported without a host of its own."""
    found, made = Environment.objects.get_or_create(code=code)
    if made:
        source = sources.load(ENVIRONMENTS / code)
        _, turn = Game.start(source, 0)
        store_version(found, source, turn.levels, turn.available_actions)
    return found


def store_version(known: Environment, source: sources.Source, levels: int, actions: Sequence[int]) -> Version:
    """Stores a source as the current version, without running it."""
    made = known.current = loading.store_version(known, source, Facts(levels, tuple(actions)))
    known.save()
    return made


def as_external(made: Environment) -> Environment:
    """The environment, for a study of real people, whatever stage is stored."""
    taken = copy(made)
    taken.stage = Stage.EXTERNAL
    return taken


def study(
    code: str = "wk01",
    *,
    pool: Sequence[Environment] = (),
    name: str = "",
    open: bool = True,  # noqa: A002
    rehearsal: bool = False,
    **changes: Any,
) -> Study:
    """A study with one environment or a pool; `changes` as `tests.protocols.prescribed` takes them.

    No session is drawn for a review unless asked for: what a test expects must not depend on chance.
    """
    return create_study(
        None,
        name=name or f"Study {Study.objects.count() + 1}",
        pool=[as_external(one) for one in pool or [environment(code)]],
        protocol=prescribed(**{"review_share": 0.0} | changes),
        open=open,
        rehearsal=rehearsal,
    )


def change(campaign: Study, *, reason: str = "This test changes it.", **changes: Any) -> Study:
    """The study with these changes of its protocol."""
    protocol = prescribed(campaign.protocol, **changes)
    return change_study(campaign, pool=list(campaign.pool.all()), protocol=protocol, reason=reason)


def closed(campaign: Study) -> Study:
    """The study, closed, without a session in progress."""
    campaign.open = False
    campaign.save()
    for running in campaign.sessions.filter(ended_at=None):
        end_session(running, SessionEnd.ENDED_BY_STAFF)
    return campaign


def session(
    campaign: Study, person: Participant | None = None, *, answers: Mapping[str, Any] | None = None
) -> Session:
    """A session in the pause before its first environment, also in a place that others were promised.

    Its rows are those that the services of check-in write one by one (`tests/play/test_made_sessions.py`).
    """
    person, at = person or new_participant(), now()
    with transaction.atomic():
        protocol = freeze_protocol(campaign)
        made = Session.objects.create(
            study=campaign, participant=person, protocol=protocol, station=1, language=settings.LANGUAGE_CODE,
            consent=Consent.objects.create(participant=person, text=protocol.value.consent_text, given_at=at),
            survey=Survey.objects.create(participant=person, answers=answers or {}, answered_at=at),
            code_hash=token_hex(32), code_expires_at=at + LIFETIME, code_used_at=at, seat_hash=token_hex(32),
            created_at=at, checked_in_at=at, tutorial_done_at=at,
        )  # fmt: skip
        Event.objects.bulk_create(
            Event(session=made, kind=kind, server_time=at, details=details)
            for kind, details in CHECK_IN.items()
        )
    return made


CHECK_IN: dict[EventKind, dict[str, Any]] = {
    EventKind.SESSION_CREATED: {},
    EventKind.CHECKED_IN: {"station": 1},
    EventKind.CONSENT_GIVEN: {},
    EventKind.TUTORIAL_DONE: {},
}
"""What is recorded of a participant until the first environment."""


def play(
    session: Session,
    acts: Sequence[Act] | Mapping[str, Sequence[Act]],
    outcome: Outcome | None = Outcome.GAVE_UP,
    *,
    seconds_an_action: float = 2,
    minutes_ago: float = 0,
    pause: tuple[int, float] | None = None,
    **ending: Any,
) -> Attempt:
    """Plays the session's next environment with these actions; outcome None leaves it open.

    `acts` may be given for each environment, by its code. `pause`: staff pause the session after this action,
    for so many seconds.
    """
    attempt = _assigned(session)
    acts = acts[attempt.environment.code] if isinstance(acts, Mapping) else acts
    began = now() - timedelta(minutes=minutes_ago)
    set_first_frame(attempt.pk, began)
    paused_after, paused = pause or (len(acts), 0.0)
    if pause:
        start = began + timedelta(seconds=(paused_after + 0.5) * seconds_an_action)
        pause_between(session, start, start + timedelta(seconds=paused))
    return record(attempt, acts, outcome, began, seconds_an_action, pause=(paused_after, paused), **ending)


def _assigned(session: Session) -> Attempt:
    """The session's next attempt. Of one environment it is the row that `open_next` writes
    (`tests/play/test_made_sessions.py`), without counting who plays, which takes longer than all else here.
    """
    pool = list(session.study.pool.values_list("pk", "current"))
    if len(pool) > 1 or session.attempts.exists():
        attempt = open_next(session)
        assert attempt is not None, "the pool has nothing left for this person"
        return attempt
    [(environment, version)] = pool
    return Attempt.objects.create(
        session=session, participant_id=session.participant_id, environment_id=environment,
        version=Version.objects.select_related("environment").get(pk=version), number=1,
        seed=randbelow(2**31), assigned_at=now(),
    )  # fmt: skip


def record(
    attempt: Attempt,
    acts: Sequence[Act],
    outcome: Outcome | None,
    began: datetime,
    seconds_an_action: float,
    *,
    pause: tuple[int, float] | None = None,
    **ending: Any,
) -> Attempt:
    """Plays an attempt whose first frame was at `began`, and ends it a second after its last action.

    What was recorded of it before, with the same actions and times, is not recorded again.
    """
    paused_after, paused = pause or (len(acts), 0.0)
    version = attempt.version
    source = sources.from_parts(version.metadata, version.source, version.environment.code)
    game, turn = Game.start(source, attempt.seed, all_actions=attempt.is_run, level=attempt.first_level)
    entries = [_entry(attempt, 0, Action(0), None, turn, began, start_of(attempt))]
    for seq, act in enumerate(acts, start=1):
        action = Action(6, *act) if isinstance(act, tuple) else Action(act)
        before, turn = turn, game.act(action)
        seconds = seq * seconds_an_action + (paused if seq > paused_after else 0)
        taken_at = began + timedelta(seconds=seconds)
        entries.append(_entry(attempt, seq, action, before, turn, taken_at, bytes(entries[-1].chain)))
    recorded = last_seq(attempt.pk)
    Entry.objects.bulk_create(entry for entry in entries if entry.seq > recorded)
    if outcome is not None:
        last = began + timedelta(seconds=len(acts) * seconds_an_action + 1 + paused)
        end_attempt(attempt.pk, outcome, last, **ending)
    attempt.refresh_from_db()
    attempt.version = version
    return attempt


def pause_between(session: Session, start: datetime, end: datetime) -> None:
    """Staff pause and resume at these moments."""
    proctor = staff(Role.PROCTOR)
    with at(start):
        clocks.change(session, proctor, clocks.pausing("fire alarm"))
    with at(end):
        clocks.change(session, proctor, clocks.resuming())


def play_internally(
    version: Version,
    player: Staff,
    acts: Sequence[Act],
    outcome: Outcome | None = Outcome.GAVE_UP,
    *,
    level: int = 1,
) -> Attempt:
    """An internal play of this account without a host, two seconds an action; outcome None leaves it open."""
    attempt = begin_internal_play(version, player, level)
    set_first_frame(attempt.pk, attempt.assigned_at)
    return record(attempt, acts, outcome, attempt.assigned_at, 2)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """The server's clock stands at this moment."""
    before = clock.set_clock(_Standing(moment))
    try:
        yield
    finally:
        clock.set_clock(before)


@dataclass(frozen=True)
class _Standing:
    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def seconds_until(self, moment: datetime) -> float:
        return max(0.0, (moment - self.moment).total_seconds())


def _entry(
    attempt: Attempt, seq: int, action: Action, before: Turn | None, turn: Turn, at: datetime, chain: bytes
) -> Entry:
    level_changed = before is not None and before.level != turn.level
    frames = encode(turn.frames, before.frames[-1] if before else None, level_changed=level_changed)
    encoded = EncodedTurn(
        **facts_of(turn), seq=seq, frame_count=len(turn.frames), frames=EncodedFrames(frames)
    )
    provenance = Provenance(_input_kind(seq, action), at if seq else None, 17 if seq > 1 else None)
    row = new_entry(attempt.pk, action, (before or turn).level, encoded, at, provenance, chain)
    return Entry(**row._asdict())


def _input_kind(seq: int, action: Action) -> InputKind:
    if seq == 0:
        return InputKind.UNKNOWN
    return InputKind.MOUSE if action.id == CLICK else InputKind.KEY


def days_later(days: int) -> datetime:
    """A moment so many days from now, after the minutes that signing waits for when a day is over."""
    return now() + timedelta(days=days, minutes=10)


def verdict(environment: Environment) -> Verdict:
    """The gate's verdict on an environment's current version."""
    return verdicts([environment])[environment.pk]
