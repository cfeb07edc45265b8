"""What a wall knows: news of the serving processes and facts of the database, merged into tiles.

No clock, no database and no channel layer: all of it comes in. Times are seconds since 1970.
"""

import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any

from engine.errors import PayloadError
from engine.play.frames import keyframe
from playtest.center.wall.boards import EncodedBoard, RecordedBoard
from playtest.center.wall.facts import OpenAttempt, SessionFacts
from playtest.center.wall.news import NO_BASE, TurnNews, unpack_present
from playtest.center.wall.tile import ON_BOARD, Link, Play, Tile
from playtest.rules.lag import lag

SILENT_SECONDS = 5.0
"""A process from which nothing was heard for so long does not answer; after a minute it is forgotten."""
_FORGOTTEN_SECONDS = 60.0
_PATIENCE_SECONDS = 1.0


@dataclass(slots=True)
class _Process:
    heard_at: float
    packed: bytes = b""
    present: dict[int, int | None] = field(default_factory=dict)
    paints: Mapping[int, Sequence[int]] = field(default_factory=dict)


class WallState:
    """The tiles of every session in progress. `missing` are sessions whose board a process has to send."""

    def __init__(self) -> None:
        self.missing: set[int] = set()
        self._tiles: dict[int, Tile] = {}
        self._idle: dict[int, dict[str, Any]] = {}
        self._shown_idle: dict[int, dict[str, Any]] = {}
        self._rooms: Mapping[int, str] = {}
        self._processes: dict[str, _Process] = {}
        self._early: dict[int, TurnNews] = {}
        self._dirty: set[int] = set()
        self._moved: set[int] = set()
        self._renewed: set[int] = set()
        self._told: dict[int, bytes | None] = {}
        self._texts: dict[tuple[int, bool], str] = {}
        self._links_of: set[int] = set()

    # What comes in

    def take_facts(self, facts: Mapping[int, SessionFacts]) -> None:
        """The sessions in progress as the database has them; those that are absent leave the wall."""
        for pk in self._tiles.keys() - facts.keys():
            del self._tiles[pk]
            self._dirty.add(pk)
        for pk, new in facts.items():
            tile = self._tiles.get(pk)
            if tile is None:
                self._tiles[pk] = Tile(new, self._room_of(new))
                self._dirty.add(pk)
                self._renewed.add(pk)
                if early := self._early.pop(pk, None):
                    self.take_turn(early)
            elif tile.facts is not new and tile.facts != new:
                if tile.facts.attempt != new.attempt:
                    self._renewed.add(pk)
                tile.facts, tile.room = new, self._room_of(new)
                self._dirty.add(pk)

    def take_stations(self, rooms: Mapping[int, str], idle: Mapping[int, dict[str, Any]]) -> None:
        """The room of each station, and those at which nobody is, as viewers are told."""
        self._rooms, self._idle = rooms, dict(idle)
        for pk, tile in self._tiles.items():
            if (room := self._room_of(tile.facts)) != tile.room:
                tile.room = room
                self._dirty.add(pk)

    def take_present(self, process: str, packed: bytes, now: float) -> None:
        """A process has said which sessions are connected to it."""
        known = self._processes.setdefault(process, _Process(now))
        known.heard_at = now
        if packed != known.packed:
            present = unpack_present(packed)
            self._links_of |= {pk for pk, _ in present.items() ^ known.present.items()}
            known.packed, known.present = packed, present

    def take_paints(self, process: str, paints: Mapping[int, Sequence[int]]) -> None:
        """How long the last presses of the sessions of a process took."""
        if process in self._processes:
            self._processes[process].paints = paints

    def take_turn(self, news: TurnNews) -> None:
        """What has changed on a board. Where it does not fit to what is known, the board is missing."""
        tile = self._tiles.get(news.session)
        if tile is None:
            self._early[news.session] = news  # its session is read in a moment
            self.missing.add(news.session)
            return
        play = tile.play if tile.play is not None and tile.play.attempt == news.attempt else None
        if play is not None and play.board is not None and news.seq < play.seq:
            return
        board = _board_after(news, play)
        if board is None:
            self.missing.add(news.session)
        tile.play = Play(news.attempt, news.seq, news.level, news.levels_completed, news.acted_at, board)
        self._moved.add(news.session)
        if tile.reasons:
            self._dirty.add(news.session)  # a turn alone can only take a reason away

    def take_recorded(self, session: int, attempt: int, recorded: RecordedBoard) -> None:
        """The last recorded turn of a session that no process shows."""
        tile = self._tiles.get(session)
        if tile is None or (tile.current is not None and tile.current.board is not None):
            return
        acted_at = recorded.acted_at.timestamp() if recorded.acted_at else 0.0
        board = EncodedBoard(keyframe(recorded.frame)) if recorded.frame is not None else None
        tile.play = Play(attempt, recorded.seq, recorded.level, recorded.levels_completed, acted_at, board)
        self._dirty.add(session)
        self._moved.add(session)

    def take_lost_since(self, session: int, at: float) -> None:
        """When the last connection of a session ended, for one that was lost before this wall was opened."""
        tile = self._tiles.get(session)
        if tile is not None and tile.link == Link.LOST and at < tile.link_since:
            tile.link_since = at
            self._dirty.add(session)

    def take_last_sign(self, session: int, at: datetime) -> None:
        """The last sign of life of a page whose connection is lost: its clocks stand still from there on."""
        tile = self._tiles.get(session)
        if tile is not None and tile.link == Link.LOST and tile.gone != (at, None):
            tile.gone = (at, None)
            self._dirty.add(session)

    # What the database still has to be asked for

    def without_board(self, now: float) -> list[tuple[int, OpenAttempt]]:
        """Sessions of whose open attempt no process has sent a board, after it had time to."""
        return [
            (pk, tile.facts.attempt)
            for pk, tile in self._tiles.items()
            if tile.facts.attempt is not None
            and (tile.current is None or tile.current.board is None)
            and now - tile.link_since >= _PATIENCE_SECONDS
        ]

    def lost(self, after: float = 0.0) -> list[int]:
        """Sessions whose connection is lost, since this moment or later."""
        return [pk for pk, tile in self._tiles.items() if tile.link == Link.LOST and tile.link_since >= after]

    def lag(self) -> dict[str, dict[str, Any]]:
        """Press to paint now by room, and of all rooms together under the empty name (docs/wall.md)."""
        presses: defaultdict[str, dict[int, Sequence[int]]] = defaultdict(dict)
        for process in self._processes.values():
            for pk in process.paints.keys() & process.present.keys() & self._tiles.keys():
                tile = self._tiles[pk]
                if tile.link == Link.CONNECTED:
                    for room in {"", tile.room}:
                        presses[room][pk] = process.paints[pk]
        return {room: self._lag_of(found) for room, found in presses.items()}

    def _lag_of(self, presses: Mapping[int, Sequence[int]]) -> dict[str, Any]:
        found = lag(chain.from_iterable(presses.values()))
        slow = [pk for pk, own in presses.items() if (one := lag(own)) and one.slow]
        stations = sorted(number for pk in slow if (number := self._tiles[pk].facts.station) is not None)
        return {**(found._asdict() if found else {}), "slow": stations}

    @property
    def sessions(self) -> list[int]:
        """The sessions on the wall."""
        return list(self._tiles)

    @property
    def changed(self) -> bool:
        """Whether something has come in that viewers were not told."""
        come_in = self._dirty or self._moved or self._renewed or self._links_of
        return bool(come_in) or self._idle != self._shown_idle

    # What goes out

    def settle(self, now: float, *, everything: bool) -> tuple[list[str], list[str]]:
        """What all viewers are told since the last call: tiles as JSON, and the keys of those that are gone.

        `everything`: every tile is looked at, because time alone gives reasons to help. Else only those that
        something has come in about. `in_view` has what only those are told who see a tile.
        """
        self._set_links(now, self._tiles.keys() if everything else self._links_of & self._tiles.keys())
        self._links_of.clear()
        judged = list(self._tiles.keys() if everything else self._dirty & self._tiles.keys())
        changed = [text for pk in judged if (text := self._change(pk, now)) is not None]
        gone = [key_of_session(pk) for pk in self._dirty if pk not in self._tiles]
        self._dirty.clear()
        self._take_told()
        for number, idle in self._idle.items():
            if self._shown_idle.get(number) != idle:
                changed.append(json.dumps({"key": key_of_station(number), **idle}))
        gone += [key_of_station(number) for number in self._shown_idle.keys() - self._idle.keys()]
        self._shown_idle = self._idle
        return changed, gone

    def _take_told(self) -> None:
        """The frames since the last `settle`, of those who played; None where the whole board is told."""
        self._texts.clear()
        self._told = {}
        for pk in self._moved & self._tiles.keys():
            play = self._tiles[pk].current
            self._told[pk] = play.board.take_untold() if play and play.board else b""
        self._told |= dict.fromkeys(self._renewed & self._tiles.keys())
        self._moved.clear()
        self._renewed.clear()

    def snapshot(self) -> list[str]:
        """All tiles, as all viewers know them since the last `settle`."""
        tiles = [
            json.dumps({"key": key_of_session(pk), **tile.shown})
            for pk, tile in self._tiles.items()
            if tile.shown
        ]
        idle = [json.dumps({"key": key_of_station(n), **one}) for n, one in self._shown_idle.items()]
        return tiles + idle

    def in_view(self, sessions: Set[int], before: Set[int]) -> list[str]:
        """What is told beside the last `settle` to somebody who sees these sessions, and saw those before.

        How play goes on, with the board: all of it where they did not see it before, else what has changed.
        """
        entered = (sessions - before) & self._tiles.keys()
        moved = sessions & before & self._told.keys()
        known = [self._progress(pk, self._told[pk]) for pk in moved]
        return [*known, *(self._progress(pk, None) for pk in entered)]

    def _progress(self, pk: int, frames: bytes | None) -> str:
        """How play goes on at a session as JSON, with these frames or with all; made once for all viewers."""
        key = (pk, frames is None)
        if (text := self._texts.get(key)) is not None:
            return text
        tile = self._tiles[pk]
        found = {"key": key_of_session(pk), **tile.progress()}
        board = tile.current.board if tile.current is not None else None
        if board is None:
            found["board"] = None
        elif frames := board.keyframe() if frames is None else frames:
            found["board"] = b64encode(frames).decode()
        text = self._texts[key] = json.dumps(found)
        return text

    def _change(self, pk: int, now: float) -> str | None:
        """What changed on a tile as JSON."""
        tile = self._tiles[pk]
        reasons = tile.needs(now)
        if pk not in self._dirty and reasons == tile.reasons:
            return None
        document = tile.document(reasons)
        changes = {name: value for name, value in document.items() if tile.shown.get(name, ...) != value}
        tile.shown, tile.reasons = document, reasons
        return json.dumps({"key": key_of_session(pk), **changes}) if changes else None

    def _set_links(self, now: float, sessions: Iterable[int]) -> None:
        """Which of these sessions' pages are connected, by what the processes said last."""
        for name in [n for n, one in self._processes.items() if now - one.heard_at > _FORGOTTEN_SECONDS]:
            del self._processes[name]
        answering: dict[int, int | None] = {}
        silent: dict[int, float] = {}
        for process in self._processes.values():
            if now - process.heard_at <= SILENT_SECONDS:
                answering |= process.present
            else:
                silent |= dict.fromkeys(process.present, process.heard_at)
        for pk in sessions:
            tile = self._tiles[pk]
            if pk in answering:
                self._set_link(pk, tile, Link.CONNECTED, now, answering[pk])
            elif pk in silent:
                self._set_link(pk, tile, Link.SILENT, silent[pk])
            elif tile.facts.stage in ON_BOARD:
                self._set_link(pk, tile, Link.LOST, now)
            else:
                self._set_link(pk, tile, Link.NONE, now)

    def _set_link(self, pk: int, tile: Tile, link: Link, since: float, round_trip: int | None = None) -> None:
        if tile.link != link:
            tile.connect(link, since)
            self._dirty.add(pk)
        if tile.round_trip_ms != round_trip:
            tile.round_trip_ms = round_trip
            self._moved.add(pk)

    def _room_of(self, facts: SessionFacts) -> str:
        return self._rooms.get(facts.station, "") if facts.station is not None else ""


def key_of_session(pk: int) -> str:
    """The key of a session's tile."""
    return f"session-{pk}"


def key_of_station(number: int) -> str:
    """The key of the tile of a station at which nobody is."""
    return f"station-{number}"


def _board_after(news: TurnNews, play: Play | None) -> EncodedBoard | None:
    """The board with the news on it; None if they do not fit to what is known, or are damaged."""
    try:
        if news.base == NO_BASE:
            return EncodedBoard(news.frames)
        if play is None or play.board is None or news.base > play.seq:
            return None
        play.board.add(news.frames)
    except PayloadError:
        return None
    return play.board
