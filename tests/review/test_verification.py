"""Verification: attempts are replayed in engine hosts, and every difference is shown."""

import json
import zlib
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine.play.frames import Frame, decode, encode
from playtest.people.roles import Role
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt
from playtest.play.sessions.attempts import open_next
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.record_check import Verification
from playtest.review.services.verification import verify, verify_one
from tests import make
from tests.refusals import refused
from tests.review import tampering
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.programs]

WON_A_LEVEL = [4, 4, 4, 2, 2]
DIFFERENCES: list[tuple[int, dict[str, Any], str, tuple[str, ...]]] = [
    (2, {"state_hash": b"12345678"}, "differs", ("state_hash",)),
    (1, {"level": 2}, "differs", ("level",)),
    (1, {"levels_completed": 1}, "differs", ("levels_completed",)),
    (1, {"changed": False}, "differs", ("changed",)),
    (1, {"state": "GAME_OVER"}, "differs", ("state",)),
    (1, {"available": 3}, "differs", ("available",)),
    (1, {"frame_count": 9}, "differs", ("frame_count",)),
    (1, {"frames": zlib.compress(b"\x01")}, "payload_malformed", ()),
    (3, {"action": 5}, "action_unavailable", ()),
    (5, {"seq": 9}, "gap", ("seq",)),
]
"""An entry, what is changed of it, and what is found."""


def played() -> Attempt:
    return make.play(make.session(make.study()), WON_A_LEVEL)


def check(attempt: Attempt) -> Verification:
    return async_to_sync(verify_one)(attempt.pk)


def repainted(attempt: Attempt, seq: int) -> bytes:
    """The stored frames of an entry with one cell of another colour."""
    shown: list[list[Frame]] = [[]]
    for entry in attempt.entries.filter(seq__lte=seq).order_by("seq"):
        shown.append(decode(inflate(entry.frames), shown[-1][-1] if shown[-1] else None))
    changed = shown[-1][-1].copy()
    changed[10, 20] = 6
    return zlib.compress(encode([*shown[-1][:-1], changed], shown[-2][-1]))


def test_what_was_played_replays_exactly() -> None:
    found = check(played())
    assert (found.entries, found.difference) == (6, None)


def test_an_attempt_without_entries_agrees() -> None:
    session = make.session(make.study())
    attempt = open_next(session)
    assert attempt is not None
    assert check(attempt).entries == 0


def test_every_kind_of_difference_is_named_with_its_place() -> None:
    """In one sweep, over an attempt for each."""
    study = make.study(people=100)
    attempts = [make.play(make.session(study), WON_A_LEVEL) for _ in DIFFERENCES]
    for attempt, (seq, columns, _, _) in zip(attempts, DIFFERENCES, strict=True):
        tampering.set_entry(attempt, seq, **columns)
    checked: dict[int, Verification] = {}
    async_to_sync(verify)([one.pk for one in attempts], lambda one: checked.update({one.attempt_id: one}))
    for attempt, (seq, columns, code, facts) in zip(attempts, DIFFERENCES, strict=True):
        difference = checked[attempt.pk].difference
        assert difference is not None, columns
        assert (difference.seq, difference.code, difference.facts) == (seq, code, facts), columns


def test_other_frames_are_a_difference_even_with_the_right_hash() -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, frames=repainted(attempt, 1))
    difference = check(attempt).difference
    assert difference is not None
    assert (difference.seq, difference.facts, difference.cells) == (1, ("frames",), 1)


def test_an_environment_that_does_not_start_is_a_difference() -> None:
    attempt = played()
    tampering.unprotect()
    attempt.version.source = "raise RuntimeError"
    attempt.version.save()
    difference = check(attempt).difference
    assert difference is not None
    assert (difference.seq, difference.code) == (0, "import_failed")


@pytest.mark.services
def test_the_sweep_says_what_agrees_and_fails_where_something_differs() -> None:
    study = make.study()
    good, bad = (make.play(make.session(study), WON_A_LEVEL) for _ in range(2))
    out = StringIO()
    call_command("verify_attempts", stdout=out)
    assert f"attempt {good.pk}: 6 entries agree" in out.getvalue()
    assert "2 checked, 0 differ" in out.getvalue()
    tampering.set_entry(bad, 1, frames=repainted(bad, 1))
    with pytest.raises(CommandError, match="attempts_differ"):
        call_command("verify_attempts", str(good.pk), str(bad.pk), "--study", study.name, stdout=out)
    assert f"attempt {bad.pk}: DIFFERS at entry 1 (differs)" in out.getvalue()
    assert "  10 5555" in out.getvalue(), "the rows of both frames that differ are shown"


def test_the_sweep_as_json_has_both_frames() -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, frames=repainted(attempt, 1))
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_attempts", "--json", stdout=out)
    (found,) = map(json.loads, out.getvalue().splitlines())
    assert (found["attempt"], found["entries"], found["difference"]["seq"]) == (attempt.pk, 1, 1)
    assert found["difference"]["recorded_frame"][10][20] == "6"
    assert found["difference"]["played_frame"][10][20] != "6"


@pytest.mark.parametrize(
    ("arguments", "code"), [(["0"], "attempt_unknown"), (["--study", "?"], "study_unknown")]
)
def test_what_does_not_exist_is_said(arguments: list[str], code: str) -> None:
    with pytest.raises(CommandError, match=code):
        call_command("verify_attempts", *arguments)


def test_the_button_shows_the_difference_with_both_frames() -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, frames=repainted(attempt, 1))
    page = signed_in(Role.DESIGNER).post(reverse("review:check", args=[attempt.pk])).content.decode()
    assert "differs from its record" in page
    assert page.count("data:image/png;base64,") == 2
    assert f"{reverse('review:attempt', args=[attempt.pk])}#action=1" in page


@pytest.mark.parametrize("damage", [{"frames": b"nothing that inflates"}, {"action": 99}])
def test_whatever_is_damaged_the_page_and_the_check_answer(damage: dict[str, Any]) -> None:
    attempt = played()
    tampering.set_entry(attempt, 2, **damage)
    assert (found := check(attempt)).difference is not None
    assert found.difference.seq == 2
    researcher = signed_in(Role.RESEARCHER)
    page = researcher.post(reverse("review:check", args=[attempt.pk]))
    assert (page.status_code, "Entry 2." in page.content.decode()) == (200, True)
    for name in ("journal", "recording", "attempt"):
        assert researcher.get(reverse(f"review:{name}", args=[attempt.pk])).status_code in (200, 409)


@pytest.mark.parametrize("name", ["journal", "recording"])
def test_a_journal_that_cannot_be_read_is_said_to_be_damaged(name: str) -> None:
    attempt = played()
    tampering.flip_byte(attempt, 2)
    answer = signed_in(Role.RESEARCHER).get(reverse(f"review:{name}", args=[attempt.pk]))
    said = answer.content.decode()
    assert answer.status_code == 409
    assert "record_damaged" in said
    assert "Entry 2 of this attempt is damaged and cannot be read: " in said


def test_a_picture_and_a_film_of_a_damaged_moment_say_so() -> None:
    attempt = played()
    tampering.flip_byte(attempt, 2)
    address = reverse("review:picture", args=[attempt.pk])
    assert signed_in(Role.RESEARCHER).get(address, {"action": 2}).status_code == 404
    with refused("record_damaged"):
        list(Film(attempt, FilmOptions()).stills())


def test_a_time_that_is_none_is_a_difference() -> None:
    """SQLite keeps any text as a time."""
    attempt = played()
    tampering.execute(
        "UPDATE play_entry SET server_time = 'noon' WHERE attempt_id = %s AND seq = 3", attempt.pk
    )
    assert (found := check(attempt)).difference is not None
    assert (found.difference.seq, found.difference.code) == (3, "unreadable")
    answer = signed_in(Role.RESEARCHER).get(reverse("review:journal", args=[attempt.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "record_damaged")


def test_an_attempt_withdrawn_during_verification_is_reported_and_the_others_are_checked() -> None:
    attempt = played()
    found: list[Verification] = []
    async_to_sync(verify)([attempt.pk + 1000, attempt.pk], found.append, 1)
    assert [(one.attempt_id, one.difference is None) for one in found] == [
        (attempt.pk + 1000, False), (attempt.pk, True),
    ]  # fmt: skip


def test_the_page_names_every_kind_of_difference() -> None:
    attempt = played()
    tampering.set_entry(attempt, 4, input_kind=4)
    tampering.set_attempt(attempt, outcome="timed_out")
    page = signed_in(Role.DESIGNER).post(reverse("review:check", args=[attempt.pk])).content.decode()
    assert "The record of this attempt was changed" in page
    assert "chain_broken" in page
    assert "seal_broken" in page
