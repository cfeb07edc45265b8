"""What a replay can be seen beside: other attempts, best first runs, the stored winning recording."""

import json
import shutil
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.play import recording
from engine.play import source as sources
from engine.play.actions import Action
from engine.play.frames import Frame, decode
from engine.play.game import Game
from engine.play.recording import RecordedTurn
from playtest.insight.scope import Scope
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt
from playtest.review.models import DecisionKind
from playtest.review.queries.comparisons import best_runs
from playtest.rules.attempt import Outcome
from playtest.studio.models import Recording
from playtest.studio.services import load_environments
from tests import make
from tests.insight.up_to_date import baseline_of
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

RESET = Action(0)


@pytest.fixture
def games(attempt: Attempt, tmp_path: Path) -> Path:
    """A games folder with wk01 and its winning recording, imported: the walk, without frames."""
    folder = tmp_path / "wk01"
    shutil.copytree(make.ENVIRONMENTS / "wk01", folder)
    game, opening = Game.start(sources.load(folder), 0)
    played = [(RESET, opening), *((Action(act), game.act(Action(act))) for act in WALK)]
    lines = [
        RecordedTurn.of(action, turn, turn.frames, f"2026-01-05T10:00:{seq:02}+00:00")
        for seq, (action, turn) in enumerate(played)
    ]
    (folder / "recordings").mkdir()
    text = "".join(recording.write(recording.Recording(tuple(lines), game_id="wk01"), frames=False))
    (folder / "recordings" / "win.jsonl").write_text(text)
    load_environments(tmp_path)
    return tmp_path


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4])


def others(client: Client, attempt: Attempt) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("review:others", args=[attempt.pk])).json()
    return found


def winning(attempt: Attempt) -> tuple[int, dict[str, Any]]:
    answer = signed_in(Role.RESEARCHER).get(reverse("review:winning", args=[attempt.pk]))
    return answer.status_code, json.loads(answer.content)


def test_other_attempts_at_the_same_environment_are_offered_newest_first(attempt: Attempt) -> None:
    study = attempt.session.study
    second = make.play(make.session(study), WALK, Outcome.COMPLETED)
    third = make.play(make.session(study), [4])
    make.play(make.session(make.study("ck01")), [(3, 4)])
    found = others(signed_in(Role.RESEARCHER), attempt)["others"]
    assert [other["with"] for other in found] == [str(third.pk), str(second.pk)]
    assert found[1]["label"] == f"{second.participant.label}: completed, 6 of 6 levels"
    assert found[1]["journal"] == reverse("review:journal", args=[second.pk])


@pytest.mark.services
def test_best_first_runs_are_the_baselines() -> None:
    """Of attempts that count, do not count, are open; not of simulated people, nor of a rehearsal."""
    study, rehearsal = make.study(), make.study(rehearsal=True)
    slow = make.play(make.session(study), [*[0] * 20, *WALK[:9], *[0] * 20, *WALK[9:]], Outcome.COMPLETED)
    quitter = make.play(make.session(study), [0, *WALK[:3]])
    playing = make.play(make.session(study), [0, 0, *WALK[:6]], None)
    make.play(make.session(study, new_participant(simulated=True)), WALK, Outcome.COMPLETED)
    rehearsing = make.play(make.session(rehearsal), WALK, Outcome.COMPLETED)
    best = [(run.level, run.attempt_id, run.actions) for run in best_runs(slow)]
    assert best[:3] == [(1, quitter.pk, 4), (2, slow.pk, 3), (3, slow.pk, 3)]
    assert [actions for *_, actions in best] == baseline_bests(slow)
    assert {run.attempt_id for run in best_runs(rehearsing)} == {rehearsing.pk}
    assert [run.actions for run in best_runs(rehearsing)] == baseline_bests(rehearsing)
    offered = others(signed_in(Role.RESEARCHER), playing)["best"]
    assert [(run["level"], run["with"]) for run in offered[:2]] == [(1, str(quitter.pk)), (2, str(slow.pk))]


def baseline_bests(attempt: Attempt) -> list[int | None]:
    """What the baseline page says of the attempt's version, a rehearsal looked at alone."""
    study = attempt.session.study
    report = baseline_of(attempt.version, Scope(study if study.rehearsal else None))
    return [level.baseline.best for level in report.levels if level.baseline.completers]


def test_what_reviewers_excluded_makes_no_best_run() -> None:
    study = make.study()
    slow = make.play(make.session(study), [0] * 20 + WALK, Outcome.COMPLETED)
    quick = make.play(make.session(study), [*WALK[:6], *[0] * 40], Outcome.GAVE_UP)
    settled(
        quick.session,
        staff(Role.LEAD),
        DecisionKind.EXCLUDE_FROM,
        "disturbed",
        attempt_id=quick.pk,
        from_seq=4,
    )
    best = [(run.level, run.attempt_id) for run in best_runs(slow)]
    assert [run.actions for run in best_runs(slow)] == baseline_bests(slow)
    assert best[:2] == [(1, quick.pk), (2, slow.pk)], "its first level was completed before that moment"


def test_the_winning_recording_comes_in_the_shape_of_a_journal(attempt: Attempt, games: Path) -> None:
    (offered,) = others(signed_in(Role.RESEARCHER), attempt)["others"]
    assert (offered["with"], offered["label"]) == ("recording", "stored winning recording")
    status, document = winning(attempt)
    own = signed_in(Role.RESEARCHER).get(reverse("review:journal", args=[attempt.pk])).json()
    assert status == 200
    assert document.keys() == own.keys()
    assert document["entries"][0].keys() == own["entries"][0].keys()
    game, turn = Game.start(sources.load(games / "wk01"), 0)
    shown: Frame | None = None
    for entry, act in zip(document["entries"], [0, *WALK], strict=True):
        turn = game.act(Action(act)) if entry["seq"] else turn
        frames = decode(b64decode(entry["frames"]), shown)
        shown = frames[-1]
        assert [frame.tolist() for frame in frames] == [frame.tolist() for frame in turn.frames]
        assert (entry["action"], entry["time"]) == (act, entry["seq"] * 1000)
    assert [entry["level"] for entry in document["entries"][:5]] == [1, 1, 1, 1, 2]
    assert document["entries"][-1]["state"] == "WIN"


def test_a_recording_of_another_version_is_not_offered(attempt: Attempt, games: Path) -> None:
    Recording.objects.all().delete()
    source = games / "wk01" / "wk01.py"
    source.write_text(source.read_text() + "\n# another version\n")
    load_environments(games)
    assert Recording.objects.count() == 1
    assert others(signed_in(Role.RESEARCHER), attempt)["others"] == []
    status, answer = winning(attempt)
    assert (status, answer["code"]) == (404, "no_winning_recording")


def test_a_recording_that_does_not_play_is_reported(attempt: Attempt, games: Path) -> None:
    recording = Recording.objects.get()
    recording.actions[0][0] = 5
    recording.save()
    status, answer = winning(attempt)
    assert (status, answer["code"]) == (409, "recording_unplayable")
