"""An attempt that staff paused has the numbers of the same attempt without the pause, everywhere."""

import json
from base64 import b64decode
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.management import call_command

from playtest.center.interventions.services import add_note
from playtest.insight.models import LevelResult
from playtest.insight.pages.environment.dwell import DWELL, cell_values
from playtest.insight.pages.environment.level_table import seconds_to_change
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.tables import results as tables
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.models import Attempt, Event, EventKind, Study
from playtest.play.sessions import clocks
from playtest.play.sessions.adjustments import adjustments_of_attempt
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.journal_document import journal_document
from playtest.review.queries.attempts import attempts, idle_since
from playtest.review.record_check import record_differences
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review import cases
from tests.review.tampering import set_attempt, set_entry
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ALARM = 600.0
ACTS = [*[2] * 31, *WALK[:6], 1]
"""Completes the first level with action 34 and the second with action 37."""


@pytest.fixture
def study() -> Study:
    return make.study(people=30)


def played(study: Study, **how: Any) -> Attempt:
    return make.play(make.session(study), ACTS, minutes_ago=60, **how)


@pytest.fixture
def both(study: Study) -> tuple[Attempt, Attempt]:
    """The same attempt without a pause and with one in the middle of the second level."""
    return played(study), played(study, pause=(35, ALARM))


def levels(attempt: Attempt) -> list[tuple[float, float]]:
    rows = LevelResult.objects.filter(attempt=attempt).order_by("level")
    return list(rows.values_list("seconds", "active_seconds"))


@pytest.mark.services
def test_level_results_durations_and_figures_are_the_same(both: tuple[Attempt, Attempt]) -> None:
    up_to_date()
    usual, paused = both
    assert (paused.paused, paused.seconds) == (timedelta(seconds=ALARM), usual.seconds)
    assert levels(paused) == levels(usual) == [(68.0, 68.0), (6.0, 6.0), (2.0, 2.0)]
    table = tables.attempts(Scope())
    assert table["attempt_seconds"].to_list() == [76.0, 76.0]
    call_command("rebuild", verbosity=0)
    assert levels(paused) == levels(usual)
    results = version_results(find_version("wk01"), Scope())
    changes = seconds_to_change(results).sort("level", "attempt")
    assert changes["seconds_to_change"].to_list()[::2] == changes["seconds_to_change"].to_list()[1::2]
    assert cell_values(results, 2, DWELL).heat.max() == 8.0


@pytest.mark.services
def test_the_list_sorts_by_time_without_pauses(study: Study) -> None:
    paused = played(study, pause=(3, ALARM))
    longer = played(study, seconds_an_action=3)
    assert list(attempts("duration")) == [paused, longer]


def test_an_open_attempt_has_its_time_without_the_pause(study: Study) -> None:
    played(study, outcome=None, pause=(35, ALARM))
    up_to_date()
    assert tables.attempts(Scope())["attempt_seconds"].to_list() == [76.0]


def test_a_pause_at_the_end_is_not_idle_time(study: Study) -> None:
    idle = make.play(make.session(study), [4], Outcome.TIMED_OUT, minutes_ago=60, pause=(1, ALARM))
    assert idle_since(idle) is None


def flagged(pause: tuple[int, float] | None) -> set[str]:
    """The flags of an honest person with two environments."""
    study = cases.study_of_two()
    session = make.session(study)
    make.play(session, [0, *[4, 3] * 20], minutes_ago=50, pause=pause)
    make.play(session, [0, *[4, 3] * 20], minutes_ago=20, seconds_an_action=5)
    cases.looked_at(session)
    return {flag.rule for flag in cases.found(session)}


def test_a_fire_alarm_raises_no_flag() -> None:
    """Also where the page loses its connection and is hidden meanwhile."""
    lost = (EventKind.PAGE_HIDDEN, EventKind.DISCONNECTED, EventKind.CONNECTED, EventKind.PAGE_SHOWN)
    usual = flagged(None)
    assert flagged((20, ALARM)) == usual
    session = make.session(cases.study_of_two())
    attempt = make.play(session, [0, *[4, 3] * 20], minutes_ago=50, pause=(20, ALARM))
    start = Event.objects.get(session=session, kind=EventKind.PAUSED).server_time
    for number, kind in enumerate(lost):
        moment = start + timedelta(seconds=60 + 250 * number)
        Event.objects.create(session=session, attempt=attempt, kind=kind, server_time=min(
            moment, start + timedelta(seconds=ALARM)))  # fmt: skip
    make.play(session, [0, *[4, 3] * 20], minutes_ago=20, seconds_an_action=5)
    cases.looked_at(session)
    assert {flag.rule for flag in cases.found(session)} == usual


def test_the_replay_leaves_the_pause_out_and_marks_it(both: tuple[Attempt, Attempt]) -> None:
    usual, paused = map(journal_document, both)
    assert [entry["time"] for entry in paused["entries"]] == [entry["time"] for entry in usual["entries"]]
    assert paused["pauses"] == [{"time": 71_000.0, "seconds": ALARM}]
    assert usual["pauses"] == []
    assert [(one["kind"], one["time"], one["staff"], one["sentence"]) for one in paused["events"]] == [
        ("paused", 71_000.0, "proctor", "The session was paused: “fire alarm”"),
        ("resumed", 71_000.0, "proctor", "The session was resumed"),
        ("attempt_ended", 77_000.0, None, None),
    ]
    assert len(b64decode(paused["entries"][36]["frames"])) > 0


def test_an_open_pause_lasts_until_now_and_later_notes_stay_with_their_session(study: Study) -> None:
    attempt = make.play(make.session(study), [4], None)
    clocks.change(attempt.session, staff(Role.PROCTOR), clocks.pausing(""))
    (pause,) = journal_document(attempt)["pauses"]
    assert pause["seconds"] is None
    clocks.change(attempt.session, staff(Role.PROCTOR), clocks.resuming())
    clocks.end_attempt_by_staff(attempt.session, staff(Role.PROCTOR))
    add_note(attempt.session, staff(Role.PROCTOR), "went home")
    attempt.refresh_from_db()
    sentences = [event["sentence"] for event in journal_document(attempt)["events"]]
    assert sentences[-1] == "The environment ended: ended by staff"


def test_a_film_has_the_times_of_the_player_and_says_so(both: tuple[Attempt, Attempt]) -> None:
    usual, paused = (Film(attempt, FilmOptions(captions=True)) for attempt in both)
    found = list(paused.stills())
    assert [still.seconds for still in found] == [still.seconds for still in usual.stills()]
    captions = {still.caption for still in found if "pause" in still.caption}
    assert captions == {"Level 2 of 6   action 36: down   after a pause of 10:00"}


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    return pl.read_parquet(folder / f"{name}.parquet").to_dicts()


@pytest.mark.parametrize("identified", [False, True])
def test_the_data_has_the_log_of_events_without_what_staff_wrote(
    study: Study, tmp_path: Path, identified: bool
) -> None:
    attempt = played(study, pause=(35, ALARM))
    add_note(attempt.session, staff(Role.PROCTOR), "Ann felt sick")
    write_dataset(study, tmp_path, "parquet", identified=identified)
    (row,) = table(tmp_path, "attempts")
    assert (row["seconds"], row["paused_seconds"], row["counted"]) == (76.0, ALARM, True)
    assert [one["seconds"] for one in table(tmp_path, "level_results")] == [68.0, 6.0, 2.0]
    log = {one["kind"]: one for one in table(tmp_path, "events")}
    reason = {"reason": "fire alarm"} if identified else {}
    assert json.loads(log["paused"]["details"]) == {"all": False, **reason}
    assert json.loads(log["note_added"]["details"]) == ({"text": "Ann felt sick"} if identified else {})
    assert json.loads(log["attempt_ended"]["details"]) == {"outcome": "gave_up"}
    assert (log["paused"]["attempt"], log["paused"]["staff"] == "proctor") == (attempt.pk, identified)
    assert log["resumed"]["server_time"] - log["paused"]["server_time"] == timedelta(seconds=ALARM)


def codes(attempt: Attempt) -> list[str]:
    found = Attempt.objects.select_related("version", "session__protocol").get(pk=attempt.pk)
    entries, adjustments = list(found.entries.order_by("seq")), adjustments_of_attempt(found)
    return [difference.code for difference in record_differences(found, entries, [], adjustments)]


def test_verification_reports_entries_in_a_pause_and_a_wrong_time_of_pauses(study: Study) -> None:
    attempt = make.play(make.session(study), ACTS, pause=(35, ALARM))
    assert codes(attempt) == []
    set_attempt(attempt, paused=timedelta(0))
    assert codes(attempt) == ["paused_differs"]
    set_attempt(attempt, paused=timedelta(seconds=ALARM))
    start = Event.objects.get(session=attempt.session, kind=EventKind.PAUSED).server_time
    set_entry(attempt, 36, server_time=start + timedelta(minutes=5))
    assert "time_implausible" in codes(attempt)


def test_verification_allows_what_pauses_and_grants_allow(study: Study) -> None:
    """Thirty-three minutes without a pause of ten, with ten minutes granted."""
    session = make.session(study)
    with make.at(session.checked_in_at or session.created_at):
        attempt = make.play(
            session, [4, 3] * 10, None, seconds_an_action=100, pause=(5, ALARM), minutes_ago=-1
        )
        grant = clocks.granting(600, environment=True, session_too=True, reason="screen broke")
        clocks.change(session, staff(Role.PROCTOR), grant)
    assert [entry["seq"] for entry in journal_document(attempt)["entries"]] == list(range(21))
    assert "time_implausible" not in codes(attempt)
    set_entry(attempt, 20, server_time=attempt.entries.get(seq=20).server_time + timedelta(minutes=15))
    assert "time_implausible" in codes(attempt)
