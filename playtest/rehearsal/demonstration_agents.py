"""The reference agents of the demonstration: what they did when it was recorded is played again here.

`tools/demonstration_agents.py` writes their actions. A run is of one version of an environment, and is left
out where another one is here, until `make demonstration` records it again.
"""

import json
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.urls import reverse

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.source import from_parts
from engine.play.turns import WIN
from playtest.arena.models import Board, CloseReason, Scorecard
from playtest.arena.runs.cards import begin, close_card, open_card
from playtest.arena.runs.keys import create_key, revoke_key
from playtest.arena.scores.boards import enter
from playtest.play.clock import now
from playtest.play.journal.entries import NewEntry, Provenance, new_entry, start_of
from playtest.play.journal.sql import insert_entries
from playtest.play.models import Attempt
from playtest.play.sessions.attempts import SEED, end_attempt, set_first_frame
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, ReleaseSet, Version
from playtest.studio.processes.game import play

FILE = "agents.json"
TAG = "demonstration"
_DESCRIPTION = (
    "A reference agent of the product (tools/agents), as it played when the demonstration was recorded: at"
    " most {most} actions in an environment. So a new installation has something to compare agents with."
)


def load_agents() -> int:
    """Gives an arena without scorecards those of the reference agents, on a board; how many runs."""
    file = Path(settings.DEMONSTRATION_DIR) / FILE
    if not file.is_file() or Scorecard.objects.exists():
        return 0
    offered = Environment.objects.interactive().filter(release_set=ReleaseSet.PUBLIC, current__isnull=False)
    versions = {one.current.digest: one.current for one in offered.select_related("current") if one.current}
    recorded = [one for one in json.loads(file.read_text()) if one["version"] in versions]
    for name, runs in groupby(recorded, key=itemgetter("agent")):
        _load(name, list(runs), versions)
    return len(recorded)


def _load(name: str, runs: Sequence[dict[str, Any]], versions: dict[str, Version]) -> None:
    """One agent's card, of a key whose secret nobody knows and which is revoked at the end."""
    agent = f"{name.capitalize()} (reference agent of the demonstration)"
    key, _ = create_key(agent)
    card = open_card(key, competition=True, tags=[name, TAG], opaque={"agent": name, **runs[0]["settings"]})
    for one in runs:
        run, _ = begin(card, versions[one["version"]], None, "", "")
        _play(run.plays.get().attempt, [_action(text) for text in one["actions"].split()])
    close_card(card.pk, CloseReason.BY_AGENT)
    card.refresh_from_db()
    most = max(len(one["actions"].split()) for one in runs)
    says = _DESCRIPTION.format(most=most)
    code_url = settings.CENTER_URL.rstrip("/") + reverse("arena:reference-agents")
    enter(card, Board.COMMUNITY, None, agent=agent, description=says, code_url=code_url)
    revoke_key(key, None)


def _play(attempt: Attempt, actions: Sequence[Action]) -> None:
    """Stores what the actions lead to on this machine, up to an error, and ends the run."""
    entries: list[NewEntry] = []
    before, level, state = start_of(attempt), 1, ""
    version = attempt.version
    source = from_parts(version.metadata, version.source, version.environment.code)
    with closing(play(source, SEED, actions)) as turns:
        for action, turn in zip([Action(0), *actions], turns, strict=False):
            if isinstance(turn, EngineError):
                break
            entry = new_entry(attempt.pk, action, level, turn, now(), Provenance(), before)
            entries.append(entry)
            before, level, state = entry.chain, turn.level, turn.state
    with transaction.atomic():
        insert_entries(connection, entries)
        set_first_frame(attempt.pk, entries[0].server_time)
    end_attempt(attempt.pk, Outcome.COMPLETED if state == WIN else Outcome.CARD_CLOSED, now())


def _action(text: str) -> Action:
    """As `tools/demonstration_agents.py` writes it."""
    return Action(*map(int, text.split(".")))
