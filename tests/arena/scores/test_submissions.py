"""Files of programs' answers: what is refused, how they are scored beside people, where they are shown."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.urls import reverse

from playtest.arena.models import SubmissionFile
from playtest.arena.scores.submissions import (
    import_submission,
    remove_submission,
    standing_of,
    standings,
)
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.review.models import DecisionKind
from playtest.studio.models import Environment, ReleaseSet
from tests import make
from tests.make_tasks import SUBMIT, Timed, play_task, small_task, solution, solved, submitted
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WRONG = [[9, 9], [9, 9]]

TOO_MANY = "attempts_too_many"
ONE, FAR = '"attempt_1": [[1]]', '{"task_id": "task-1", "pair_index": 999999999}'

type Document = dict[str, list[dict[str, Any]]]


def tasks(release_set: str = ReleaseSet.SEMI_PRIVATE) -> list[Environment]:
    """Three tasks in a set, of one, two and three test inputs, and one in no set."""
    made = [
        small_task("task-1", [[1]]),
        small_task("task-2", [[2]], [[3]]),
        small_task("task-3", [[4]], [[5]], [[6]]),
    ]
    small_task("apart", [[7]])
    Environment.objects.filter(code__startswith="task-").update(release_set=release_set)
    return made


def answers(environment: Environment, *at: int | None) -> list[dict[str, Any]]:
    """For each test input the answer that is right: the first, the second, or None."""
    return [
        {"attempt_1": right if one == 1 else WRONG, "attempt_2": right if one == 2 else WRONG}
        for number, one in enumerate(at, start=1)
        for right in [solution(environment, number)]
    ]


def imported(document: Mapping[str, Any], program: str = "model", **more: Any) -> SubmissionFile:
    return import_submission(json.dumps(document).encode(), program=program, **more)


def refused(content: object, **more: Any) -> str:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(Refusal) as refusal:
        import_submission(text, **{"program": "model"} | more)
    assert not SubmissionFile.objects.exists()
    return refusal.value.code


@pytest.mark.services
def test_a_file_is_scored_over_its_whole_set_at_two_answers_a_test_input() -> None:
    first, second, _ = tasks()
    file = imported({"task-1": answers(first, 2), "task-2": answers(second, 1, None)}, cost=6.0)
    found, rows = standing_of(file)
    assert (found.score.solved_tasks, found.score.tasks, found.answered) == (1, 3, 2)
    assert (found.score.solved_pairs, found.score.pairs) == (2, 6)
    assert found.score.partial == Fraction(1, 3) * (1 + Fraction(1, 2) + 0)
    assert [row.solved_at for row in rows] == [(2,), (1, None), (None, None, None)]
    assert found.cost_a_task == 2.0
    assert file.release_set == ReleaseSet.SEMI_PRIVATE


def written(grid: list[list[int]]) -> str:
    return f"|{'|'.join(''.join(map(str, row)) for row in grid)}|"


def test_other_forms_of_a_file_score_as_the_official_one() -> None:
    first, second, _ = tasks()
    document = {"task-1": answers(first, 2), "task-2": answers(second, 1, None)}
    listed = [
        {
            name: {
                "answer": grid,
                "metadata": {"task_id": task, "pair_index": index, "cost": {"total_cost": 0.25}},
                "correct": None,
            }
            for name, grid in item.items()
        }
        for task, items in document.items()
        for index, item in enumerate(items)
    ]
    table = ["output_id,output"] + [
        f"{task}_{index},{written(item['attempt_1'])} {written(item['attempt_2'])}"
        for task, items in document.items()
        for index, item in enumerate(items)
    ]
    scores = [
        standing_of(import_submission(content, program="model"))[0].score
        for content in (
            json.dumps(document).encode(), json.dumps(listed).encode(), "\r\n".join(table).encode(),
        )
    ]  # fmt: skip
    assert (scores[0], scores[0].solved_pairs) == (scores[1], 2) == (scores[2], 2)
    costs = SubmissionFile.objects.order_by("pk").values_list("cost", flat=True)
    assert list(costs) == [None, 0.5 * len(listed), None]


def test_an_attempt_without_an_answer_is_a_wrong_one() -> None:
    first, *_ = tasks()
    right = answers(first, 1)[0]["attempt_1"]
    file = imported({
        "task-1": [{"attempt_1": None, "attempt_2": right}],
        "task-2": [{"attempt_1": None, "attempt_2": None}, {"attempt_1": None, "attempt_2": {"answer": []}}],
    })  # fmt: skip
    found, rows = standing_of(file)
    assert ([row.solved_at for row in rows[:2]], found.score.solved_tasks) == ([(2,), (None, None)], 1)


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        ('{"task-1": [], "task-1": []}', "key_repeated", "'task-1'"),
        (f'{{"task-1": [{{{ONE}, "attempt_2": [[1]], "attempt_3": [[1]]}}]}}', TOO_MANY, "attempt_3"),
        (f'{{"task-1": [{{{ONE}, "attempt_2": [[1, 2], [3, 10]]}}]}}', "grid_colour", "row 2, column 2"),
        (f'{{"task-1": [{{{ONE}, "attempt_2": [[1, 2], [3]]}}]}}', "grid_malformed", "1 in row 2"),
        ("output_id,output\ntask-1_0,|1x|\n", "grid_colour", "row 1, column 2"),
        ("output_id,output\ntask-1_0,|1| |2| |3|\n", "attempts_too_many", "attempt_3"),
        ("output_id,output\ntask-1_0,|1|\ntask-1_0,|1|\n", "key_repeated", "test input 1"),
        ("output_id,output\ntask-1,|1|\n", "submission_malformed", "Row 2"),
        ("output_id,output\n", "submission_malformed", "tasks"),
        ('[{"attempt_1": [[1]]}]', "submission_malformed", "Item 1"),
        (f'[{{"attempt_1": {{"metadata": {FAR}}}}}]', "pairs_mismatched", "1000000000"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_place(content: str, code: str, said: str) -> None:
    tasks()
    with pytest.raises(Refusal) as refusal:
        import_submission(content.encode(), program="model")
    assert (refusal.value.code, said in refusal.value.message) == (code, True), refusal.value.message


def test_a_later_version_of_a_task_changes_no_score() -> None:
    first, *_ = tasks()
    file = imported({"task-1": answers(first, 1)})
    small_task("task-1", [[8]])
    assert standing_of(file)[0].score.solved_tasks == 1


def test_what_is_no_file_of_answers_is_refused() -> None:
    first, second, _ = tasks()
    right = {"task-1": answers(first, 1)}
    assert refused(b"{") == "submission_malformed"
    assert refused(b'{"\x81": 1}') == "text_unreadable"
    assert refused({}) == "submission_malformed"
    assert refused({"task-9": []}) == "task_unknown"
    assert refused({"task-9": []}, release_set="private") == "task_unknown"
    assert refused({"apart": answers(first, 1)}) == "tasks_in_no_set"
    assert refused({"task-1": []}) == "pairs_mismatched"
    assert refused({"task-1": [{"attempt_1": [[1]]}]}) == "attempts_missing"
    assert refused({"task-1": [{"attempt_1": [[10]], "attempt_2": [[1]]}]}) == "grid_colour"
    assert refused(right, program=" ") == "program_missing"
    assert refused(right, cost=-1.0) == "cost_invalid"
    assert refused(right, code_url="ftp://x") == "code_url_invalid"
    assert refused(right, release_set="none") == "set_unknown"
    Environment.objects.filter(code="task-2").update(release_set=ReleaseSet.PUBLIC)
    assert refused(right | {"task-2": answers(second, 1, 1)}) == "sets_mixed"


def test_a_file_is_scored_once_a_set_and_never_changed() -> None:
    first, *_ = tasks()
    document = {"task-1": answers(first, 1)}
    file = imported(document)
    with pytest.raises(Refusal) as refusal:
        imported(document, "another name")
    assert refusal.value.code == "already_imported"
    with pytest.raises(DatabaseError), transaction.atomic():
        SubmissionFile.objects.filter(pk=file.pk).update(cost=0.0)
    remove_submission(file, staff(Role.LEAD), "sent by mistake")
    assert standings(ReleaseSet.SEMI_PRIVATE) == []
    with pytest.raises(Refusal) as again:
        remove_submission(file, None, "again")
    assert again.value.code == "already_removed"


def test_people_on_the_same_tasks_stand_beside_a_program() -> None:
    pool = tasks()[:2]
    study = make.study(pool=pool)
    plays: dict[str, dict[str, Sequence[Timed]]] = {
        "both": {"task-1": solved(pool[0]), "task-2": solved(pool[1])},
        "half": {"task-1": [SUBMIT, *submitted([[1]])], "task-2": [*submitted([[2]]), *wrong_at(2)]},
        "none": {"task-1": [SUBMIT, (4, SUBMIT)], "task-2": [SUBMIT, (4, SUBMIT)]},
    }
    for edits in plays.values():
        session = make.session(study)
        play_task(session, edits)
        play_task(session, edits)
    excluded = make.session(study)
    play_task(excluded, plays["both"])
    play_task(excluded, plays["both"])
    settled(excluded, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    found, rows = standing_of(imported({"task-1": answers(pool[0], 1)}))
    assert found.tested == 2
    assert [(row.people.people, row.people.solved) for row in rows if row.people] == [(3, 2), (3, 1)]
    assert found.people == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert found.people_partial == pytest.approx((2 / 3 + (1 + 0.5 + 0) / 3) / 2)
    assert found.on_same == 0.5
    assert found.points == pytest.approx(0.0)


def wrong_at(number: int) -> list[Mapping[str, Any]]:
    return [{"op": "open", "input": number}, SUBMIT, SUBMIT]


def test_the_board_as_a_file_has_the_best_first_and_the_frontier_of_costs() -> None:
    first, second, third = tasks()
    documents: dict[str, Document] = {
        "worse": {"task-1": answers(first, 1)},
        "best": {"task-1": answers(first, 1), "task-2": answers(second, 2, 1)},
        "dear": {"task-1": answers(first, 1), "task-3": answers(third, None, 1, 1)},
    }
    for cost, (program, document) in enumerate(documents.items(), start=1):
        imported(document, program, cost=float(cost))
    lead, address = signed_in(Role.LEAD), reverse("arena:task-board-figure", args=["scores", "csv"])
    text = lead.get(address, {"set": "semi_private"}).content.decode("utf-8-sig")
    shown = {row["program"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(shown) == ["best", "dear", "worse"]
    assert [(row["tasks_solved"], row["pairs_solved"], row["answered"]) for row in shown.values()] == [
        ("2", "3", "2"), ("1", "3", "2"), ("1", "1", "1"),
    ]  # fmt: skip
    assert float(shown["dear"]["partial_percent"]) == pytest.approx(100 * (1 + 2 / 3) / 3)
    as_json = lead.get(address.replace("csv", "json"), {"set": "semi_private"}).json()
    assert [row["program"] for row in as_json["rows"]] == list(shown)
    rows = lead.get(address.replace("scores.csv", "cost.json"), {"set": "semi_private"}).json()["rows"]
    assert [row["label"] for row in rows if row["frontier"]] == ["best", "worse"]


def test_the_pages_take_a_file_show_it_and_remove_it() -> None:
    first, second, third = tasks()
    document = {
        "task-1": answers(first, 1),
        "task-2": answers(second, 1, 2),
        "task-3": answers(third, 1, 1, 1),
    }
    lead, new = signed_in(Role.LEAD), reverse("arena:submission-new")
    sent = {"program": "Solver 3", "release_set": "", "cost": "12.5", "code_url": "", "description": "Draws."}
    refusal = lead.post(new, sent | {"file": SimpleUploadedFile("a.json", b"[]")})
    assert (refusal.status_code, "submission_malformed" in refusal.content.decode()) == (409, True)
    file = SimpleUploadedFile("a.json", json.dumps(document).encode())
    page = lead.post(new, sent | {"file": file}).headers["Location"]
    shown = lead.get(page).content.decode()
    assert "Solver 3 solved 3 of 3 tasks" in shown
    assert "by lead" in shown
    board = signed_in(Role.RESEARCHER).get(reverse("arena:task-board")).content.decode()
    assert "1 program on the static tasks of the semi-private set" in board
    assert "Static tasks (1)" in signed_in(Role.DESIGNER).get(reverse("arena:boards")).content.decode()
    pk = SubmissionFile.objects.get().pk
    rows = lead.get(reverse("arena:submission-file", args=[pk, "csv"])).content.decode().splitlines()
    assert len(rows) == 1 + 6
    lead.post(reverse("arena:submission-remove", args=[pk]), {"why": "A copy."})
    assert "Off the board" in lead.get(page).content.decode()
    assert signed_in(Role.RESEARCHER).post(new, sent).status_code == 403


def test_the_command_prints_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, *_ = tasks()
    place = tmp_path / "answers.json"
    place.write_text(json.dumps({"task-1": answers(first, 1)}))
    call_command("import_submission", place, name="Solver", cost=3.0, json=True)
    facts = json.loads(capsys.readouterr().out)
    assert (facts["set"], facts["tasks"], facts["solved_tasks"], facts["pairs"]) == ("semi_private", 3, 1, 6)
    with pytest.raises(CommandError, match="already_imported"):
        call_command("import_submission", place, name="Solver")
    with pytest.raises(CommandError, match="file_unreadable"):
        call_command("import_submission", tmp_path / "none.json", name="Solver")
