"""Writes agents' keys, scorecards and plays with journals given as text, without playing."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from playtest.arena.models import ApiKey, Play, Run, Scorecard
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.play.sessions.attempts import begin_run, set_first_frame
from playtest.studio.models import Version
from tests import make
from tests.insight.journals import append
from tests.rules.levels import journal


def version(code: str = "wk01") -> Version:
    found = make.environment(code).current
    assert found is not None
    return found


def attempt(written: str, code: str = "wk01") -> Attempt:
    """The attempt of a run with a journal as `tests.rules.levels` reads it."""
    made = begin_run(version(code))
    entries = journal(written)
    set_first_frame(made.pk, entries[0].at)
    append(made, entries)
    return made


def card(agent: str = "an agent", **fields: Any) -> Scorecard:
    """An open scorecard of a key named after the agent."""
    key, _ = ApiKey.objects.get_or_create(
        name=agent,
        defaults={"key_hash": sha256(agent.encode()).hexdigest(), "hint": "abcd", "created_at": now()},
    )
    given = {"opened_at": now(), "used_at": now(), "sets": ["public"], **fields}
    return Scorecard.objects.create(key=key, **given)


def closed(found: Scorecard, reason: str = "by_agent") -> Scorecard:
    found.closed_at, found.close_reason = found.opened_at + timedelta(minutes=20), reason
    found.save()
    return found


def run(on: Scorecard, plays: Sequence[str], code: str = "wk01") -> Run:
    """A run on the card with these plays, in order."""
    of = version(code)
    made = Run.objects.create(card=on, environment=of.environment, version=of, started_at=on.opened_at)
    for number, written in enumerate(plays, start=1):
        Play.objects.create(run=made, number=number, attempt=attempt(written, code))
    return made
