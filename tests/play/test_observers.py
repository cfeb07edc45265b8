"""Observers of play see what happens, cost nothing when they do not observe, and cannot do harm."""

import pytest

from engine.frames import STATE_HASH_BYTES
from engine.turns import NOT_FINISHED, EncodedFrames, EncodedTurn
from playtest.play import observers
from playtest.play.observers import Observer
from playtest.play.page.connected_session import ConnectedSession

TURN = EncodedTurn(
    state=NOT_FINISHED,
    level=1,
    levels=3,
    levels_completed=0,
    available_actions=(1,),
    level_completed=False,
    changed=True,
    full_reset=False,
    state_hash=bytes(STATE_HASH_BYTES),
    seq=1,
    frame_count=1,
    frames=EncodedFrames(b"\0\0"),
)


class Recorder(Observer):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def opened(self, session: ConnectedSession) -> None:
        self.seen.append(f"opened {session.session_id}")

    def closed(self, session: ConnectedSession) -> None:
        self.seen.append(f"closed {session.session_id}")

    def turned(self, session: ConnectedSession, turn: EncodedTurn) -> None:
        self.seen.append(f"turn {turn.seq} of {session.session_id}")


class Broken(Observer):
    observing = True

    def opened(self, session: ConnectedSession) -> None:
        raise ValueError("broken at once")

    def turned(self, session: ConnectedSession, turn: EncodedTurn) -> None:
        raise ValueError("broken at a turn")


@pytest.fixture(autouse=True)
def observed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observers, "_OBSERVERS", [])


async def _nothing() -> None:
    pass


@pytest.fixture
def session() -> ConnectedSession:
    return ConnectedSession(7, _nothing, lambda: None)


def test_turns_are_reported_only_while_somebody_observes(session: ConnectedSession) -> None:
    recorder = Recorder()
    observers.add_observer(recorder)
    observers.opened(session)
    observers.turned(session, TURN)
    recorder.observing = True
    observers.turned(session, TURN)
    observers.closed(session)
    assert recorder.seen == ["opened 7", "turn 1 of 7", "closed 7"]


def test_an_observer_that_fails_disturbs_nobody(
    session: ConnectedSession, caplog: pytest.LogCaptureFixture
) -> None:
    observers.add_observer(Broken())
    recorder = observers.add_observer(Recorder())
    observers.opened(session)
    observers.turned(session, TURN)
    assert isinstance(recorder, Recorder)
    assert recorder.seen == ["opened 7"]
    assert caplog.text.count("an observer of play failed") == 2


def test_an_observer_is_added_once(session: ConnectedSession) -> None:
    recorder = Recorder()
    observers.add_observer(recorder)
    observers.add_observer(recorder)
    observers.opened(session)
    assert recorder.seen == ["opened 7"]
