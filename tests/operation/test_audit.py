"""`manage.py audit` is silent about a whole record, and names what is lost, changed or out of step."""

import json
import struct
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from playtest.insight.compute.journal import ATTEMPTS_AT_ONCE, wrong_results
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.operation.audit.findings import Finding, found_twice
from playtest.play.journal.entries import recorded_turn
from playtest.play.models import Attempt, Entry
from playtest.play.page.wire import ACTION_LAYOUT, turn_message
from tests import make
from tests.review import tampering

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ACTS = [4, 4, 4, 2, 2]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def attempt() -> Attempt:
    played = make.play(make.session(make.study()), ACTS)
    bring_up_to_date(Attempt.objects.all())
    return played


def audit(*options: str) -> dict[str, Any]:
    """What the audit says, and whether it exits with 1 exactly if it found something."""
    said = StringIO()
    failed: CommandError | None = None
    try:
        call_command("audit", "--json", *options, stdout=said)
    except CommandError as error:
        failed = error
    found = dict(json.loads(said.getvalue()))
    assert str(failed).startswith("audit_failed: ") if found["findings"] else failed is None
    return found


def codes(*options: str) -> set[str]:
    return {one["code"] for one in audit(*options)["findings"]}


def line(attempt: Attempt, seq: int, *, action: int | None = None) -> dict[str, Any]:
    """A client's note of one action and its answer, as docs/wire.md lays them out."""
    entry = Entry.objects.get(attempt=attempt, seq=seq)
    at = entry.client_time.timestamp() * 1000 if entry.client_time else 0.0
    paint = 0xFFFF if entry.previous_paint_ms is None else entry.previous_paint_ms
    made = entry.action if action is None else action
    head = (1, entry.input_kind, attempt.number, seq, made, entry.x or 0, entry.y or 0, 0)
    received = turn_message(attempt.number, recorded_turn(entry, attempt.version.levels))
    return {
        "session": attempt.session_id,
        "sent": struct.pack(ACTION_LAYOUT, *head, paint, at, 0xFFFF, 0xFFFF).hex(),
        "received": received.hex(),
    }


def noted(folder: Path, *lines: dict[str, Any]) -> str:
    file = folder / "acknowledged.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return str(file)


@pytest.mark.services
def test_a_whole_record_has_no_findings(attempt: Attempt, tmp_path: Path) -> None:
    given = noted(tmp_path, *(line(attempt, seq) for seq in (1, 3, 5, 5)))
    assert audit("--acknowledged", given) == {
        "attempts": 1, "entries": 6, "rebuilt": 0, "rebuilt_partly": 0, "acknowledged": 4, "findings": [],
    }  # fmt: skip


def test_attempts_are_played_again_on_request(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE")  # outside of tests the event loop reads no database
    found = audit("--rebuild", "1", "--hosts", "1")
    assert (found["rebuilt"], found["findings"]) == (1, [])


TAMPERINGS: dict[str, Callable[[Attempt], object]] = {
    "chain_broken": lambda attempt: tampering.set_entry(attempt, 4, previous_paint_ms=16),
    "summary_differs": lambda attempt: tampering.set_attempt(attempt, levels_completed=3),
    "results_differ": lambda attempt: LevelResult.objects.filter(attempt=attempt).update(actions=99),
    "pause_differs": lambda attempt: type(attempt.session).objects.update(paused_at=attempt.assigned_at),
}


@pytest.mark.services
@pytest.mark.parametrize("code", TAMPERINGS)
def test_what_was_changed_is_found(attempt: Attempt, code: str) -> None:
    TAMPERINGS[code](attempt)
    assert code in codes()


def test_results_that_a_worker_stores_while_others_are_compared_are_no_finding() -> None:
    study = make.study(people=100)
    plays = [make.play(make.session(study), [4], None, minutes_ago=5) for _ in range(ATTEMPTS_AT_ONCE + 1)]
    bring_up_to_date(Attempt.objects.all())
    LevelResult.objects.filter(attempt=plays[0]).update(actions=99)
    found = wrong_results(Attempt.objects.all())
    assert next(found)[0] == plays[0].pk
    last = Attempt.objects.get(pk=plays[-1].pk)
    assert last.first_frame_at is not None
    make.record(last, ACTS, None, last.first_frame_at, 2)
    assert bring_up_to_date(Attempt.objects.filter(pk=last.pk)) == 1
    assert list(found) == []


def test_only_what_a_second_look_finds_again_is_a_finding() -> None:
    stays, of_a_moment = Finding("pause_differs", "Session 1"), Finding("pause_differs", "Session 2")
    moved = [Finding("results_differ", f"Level {level} differs.", 3) for level in (1, 2)]
    reads = iter([[stays, of_a_moment, moved[0]], [moved[1], stays]])
    assert found_twice(lambda: next(reads)) == [stays, moved[0]]


def test_an_acknowledged_turn_that_is_lost_is_found(attempt: Attempt, tmp_path: Path) -> None:
    lost = {**line(attempt, 5), "sent": line(attempt, 5)["sent"].replace("05000000", "06000000", 1)}
    other = {**line(attempt, 5), "session": 99}
    assert codes("--acknowledged", noted(tmp_path, lost)) == {"acknowledged_missing"}
    assert codes("--acknowledged", noted(tmp_path, other)) == {"acknowledged_missing"}


def test_an_entry_that_is_not_what_was_sent_is_found(attempt: Attempt, tmp_path: Path) -> None:
    given = noted(tmp_path, line(attempt, 5, action=1))
    [found] = audit("--acknowledged", given)["findings"]
    assert found["code"] == "sent_differs"
    assert "another action than" in found["message"]


def test_an_answer_that_is_not_what_is_recorded_is_found(attempt: Attempt, tmp_path: Path) -> None:
    swapped = {**line(attempt, 5), "received": line(attempt, 2)["received"]}
    assert "answer_differs" in codes("--acknowledged", noted(tmp_path, swapped))


def test_a_line_that_cannot_be_read_is_a_finding(attempt: Attempt, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text('{"session": 1}\nnothing\n[]\n')
    assert [one["code"] for one in audit("--acknowledged", str(file))["findings"]] == [
        "acknowledged_unreadable"
    ] * 3


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="file_unreadable"):
        call_command("audit", "--acknowledged", str(tmp_path / "none"))
