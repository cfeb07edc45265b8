"""Verification of static tasks: edits are replayed without a host, and damage has a code."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from playtest.play.models import Attempt
from playtest.review.record_check import Verification
from playtest.review.services.verification import check_record, verify_one
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, submitted
from tests.review import tampering

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAINT: dict[str, Any] = {"op": "paint", "colour": 3, "cells": [0, 31]}
SOLUTIONS = [[[1, 2], [3, 0]], [[4]]]
EDITS = [PAINT, SUBMIT, *submitted(SOLUTIONS[0]), {"op": "copy_input"}, {"op": "undo"}]


def played(**changes: Any) -> Attempt:
    campaign = make.study(pool=[small_task("abcde", *SOLUTIONS)], **changes)
    return play_task(make.session(campaign), EDITS)


def check(attempt: Attempt) -> Verification:
    return async_to_sync(verify_one)(attempt.pk)


def codes(attempt: Attempt) -> list[tuple[int, str]]:
    return [(one.seq, one.code) for one in check(attempt).differences]


def test_edits_replay_exactly() -> None:
    found = check(played())
    assert (found.entries, found.differences) == (len(EDITS) + 1, ())


def test_a_protocol_with_other_tries_is_replayed_by_its_own_rule() -> None:
    attempt = played(tries=3, most_submissions=3)
    assert check(attempt).differences == ()
    assert attempt.actions == len(EDITS)


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"edit": '{"op":"paint","colour":4,"cells":[0,31]}'}, "differs"),
        ({"edit": '{"op":"explode"}'}, "edit_unknown"),
        ({"edit": "{"}, "edit_malformed"),
        ({"edit": '{"op":"fill","colour":1,"cell":899}', "action": 3}, "edit_impossible"),
        ({"edit": None}, "action_unavailable"),
        ({"state_hash": b"12345678"}, "differs"),
    ],
)
def test_a_damaged_edit_is_named_with_a_code(columns: dict[str, Any], code: str) -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, **columns)
    assert set(codes(attempt)) == {(1, code), (1, "chain_broken")}
    [by_record] = check_record([attempt.pk])
    assert [(one.seq, one.code) for one in by_record.differences] == [(1, "chain_broken")]


def test_a_changed_edit_with_a_chain_computed_anew_is_found_by_the_replay() -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, edit='{"op":"paint","colour":4,"cells":[0,31]}')
    tampering.chain_again(attempt)
    assert (1, "differs") in codes(attempt)
    assert (1, "chain_broken") not in codes(attempt)


def test_a_damaged_task_is_a_difference() -> None:
    attempt = played()
    tampering.execute("UPDATE studio_version SET source = '{' WHERE id = %s", attempt.version_id)
    assert {code for _, code in codes(attempt)} == {"task_damaged", "source_changed"}


def test_an_attempt_that_its_last_submission_ended_agrees() -> None:
    campaign = make.study(pool=[small_task("abcde", [[1]])])
    attempt = play_task(make.session(campaign), [SUBMIT, SUBMIT], seconds_an_edit=4, seconds_after=0)
    assert (attempt.outcome, check(attempt).differences) == ("tries_used", ())
    assert attempt.ended_at is not None
    assert attempt.first_frame_at is not None
    assert attempt.ended_at - attempt.first_frame_at == timedelta(seconds=8)
