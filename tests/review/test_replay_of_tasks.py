"""The replay of a static task: what its journal says, who may see the solution, what a task has not."""

import json
from typing import Any

import pytest
from django.urls import reverse

from engine.tasks.edits import KINDS
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.journal_document import end_document, journal_document
from playtest.review.official_recording import recording_lines
from playtest.review.recording_document import winning_document
from playtest.rules.labels import edit_label
from playtest.studio.models import Sighting, SightingKind
from tests.play.browser.conftest import Run
from tests.play.browser.conftest import run as run
from tests.review import tampering
from tests.review.task_replays import EDITS, SECOND, task_attempt
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LABELS: dict[str, tuple[dict[str, Any], str]] = {
    "resize": ({"op": "resize", "height": 2, "width": 5}, "resized to 2 by 5"),
    "paint": ({"op": "paint", "colour": 2, "cells": [0, 31]}, "painted 2 cells red"),
    "fill": ({"op": "fill", "colour": 8, "cell": 0}, "filled with azure"),
    "copy_input": ({"op": "copy_input"}, "copied the input"),
    "clear": ({"op": "clear"}, "cleared the grid"),
    "paste": (
        {"op": "paste", "from": "demo_output", "pair": 2, "rect": [0, 0, 2, 3], "cell": 0},
        "pasted 2 by 3 from the output of demonstration 2",
    ),
    "undo": ({"op": "undo"}, "undid an edit"),
    "redo": ({"op": "redo"}, "redid an edit"),
    "open": ({"op": "open", "input": 2}, "opened test input 2"),
    "submit": ({"op": "submit"}, "submitted"),
}


def test_each_edit_is_named_alike_in_films_and_replays(run: Run) -> None:
    assert list(LABELS) == list(KINDS)
    for edit, label in LABELS.values():
        assert edit_label(edit) == label
        assert run("review/edit-labels.js", f"editLabel({json.dumps(edit)})") == label
    one = {"op": "paint", "colour": 0, "cells": [4]}
    assert edit_label(one) == run("review/edit-labels.js", f"editLabel({json.dumps(one)})")


def test_the_journal_says_what_was_edited_opened_and_submitted() -> None:
    document = journal_document(task_attempt())
    entries = document["entries"]
    assert [entry["edit"] for entry in entries[1:]] == [dict(edit) for edit in EDITS]
    assert entries[0]["edit"] is None
    shown = "".join(str(entry["opened"]) for entry in entries)
    assert shown == "111221" + "11111" + "2" * 6
    submissions = [(entry["level"], entry["submission"]) for entry in entries if entry["submission"]]
    assert submissions == [
        (1, {"number": 1, "right": False, "counted": True}),
        (1, {"number": 2, "right": True, "counted": True}),
        (2, {"number": 1, "right": False, "counted": True}),
    ]


def test_a_submission_beyond_the_tries_is_not_counted() -> None:
    attempt = task_attempt(tries=1, most_submissions=3)
    made = [entry["submission"] for entry in journal_document(attempt)["entries"] if entry["submission"]]
    assert [(one["number"], one["counted"]) for one in made] == [(1, True), (2, False), (1, True)]


def test_no_solution_is_in_the_journal_or_the_page() -> None:
    attempt = task_attempt()
    client = signed_in(Role.DESIGNER)
    for name in ("attempt", "journal"):
        text = client.get(reverse(f"review:{name}", args=[attempt.pk])).content.decode()
        assert json.dumps(SECOND, separators=(",", ":")) not in text.replace(" ", "")
        assert json.dumps(SECOND[0], separators=(",", ":")) not in text.replace(" ", "")


def test_who_may_read_sources_may_ask_for_the_solution_which_is_recorded() -> None:
    attempt = task_attempt()
    address = reverse("review:solution", args=[attempt.pk])
    designer, researcher = signed_in(Role.DESIGNER), signed_in(Role.RESEARCHER)
    assert address in designer.get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert address not in researcher.get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert researcher.get(address).status_code == 403
    sightings = Sighting.objects.filter(environment=attempt.environment, kind=SightingKind.SOURCE)
    assert not sightings.exists()
    assert designer.get(address).json()["outputs"][1] == SECOND
    assert sightings.get().staff == staff(Role.DESIGNER)


def test_what_only_an_environment_has_is_refused() -> None:
    attempt = task_attempt()
    for ask in (
        lambda: list(recording_lines(attempt)),
        lambda: end_document(attempt, 1),
        lambda: winning_document(attempt.version),
    ):
        with pytest.raises(Refusal):
            ask()
    page = signed_in(Role.RESEARCHER).get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert reverse("review:recording", args=[attempt.pk]) not in page
    assert "1 of 2 test inputs solved" in page


def captions(attempt: Attempt) -> list[str]:
    return [still.caption for still in Film(attempt, FilmOptions(captions=True)).stills()]


def test_a_film_names_test_inputs_and_edits() -> None:
    found = captions(task_attempt())
    assert found[0] == "Test input 1 of 2"
    assert "Test input 1 of 2   edit 1: painted 3 cells red" in found


@pytest.mark.parametrize("edit", ["{", '{"op":"fill","colour":1,"cell":899}'])
def test_a_damaged_edit_is_said_on_the_page(edit: str) -> None:
    attempt = task_attempt()
    tampering.set_entry(attempt, 1, edit=edit, action=3)
    answer = signed_in(Role.RESEARCHER).get(reverse("review:journal", args=[attempt.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "record_damaged")
