"""Every account that sees an environment is counted, in whatever way it sees it."""

from collections.abc import Iterator
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from playtest.arena.api.games import read_source
from playtest.arena.api.http import ApiError, Request
from playtest.arena.runs import exposure
from playtest.arena.runs.cards import game_id_of
from playtest.arena.runs.exposure import accounts_seen
from playtest.arena.runs.keys import create_key
from playtest.center.same_records import link_records
from playtest.center.wall.consumers import note_watched
from playtest.people.access import declared_access
from playtest.people.roles import Right, Role
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.review.models import Export, ExportKind
from playtest.review.queries.exports import environments_of
from playtest.studio.models import Environment, Sighting, SightingKind
from playtest.studio.services.sightings import note_sightings
from tests import make
from tests.arena.keys.test_exposure_page import rows, shown
from tests.arena.runs.played import on_a_card, write_run
from tests.arena.scores.agents import version
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SHOWS_NOTHING = {
    "arena:boards", "arena:boards-figure", "arena:submission", "arena:submission-file",
    "arena:task-board", "arena:task-board-figure", "arena:card", "arena:cards", "arena:development",
    "arena:drop", "arena:dropped", "arena:environment", "arena:environment-figure", "arena:exports",
    "arena:exposure", "arena:exposure-accounts", "arena:exposure-keys", "arena:exposure-scores",
    "arena:reference-agents", "insight:baseline",
    "insight:baseline-figure", "insight:baselines", "insight:board", "insight:internal-play",
    "insight:portfolio", "insight:portfolio-file", "insight:release", "insight:release-inputs",
    "insight:plan",
    "insight:preregistration", "insight:preregistration-file", "insight:preregistration-numbered",
    "insight:sets", "insight:study",
    "insight:study-bar", "insight:study-figure", "insight:study-now", "insight:study-tasks",
    "insight:study-tasks-bar", "insight:study-tasks-figure",
    "insight:split", "insight:split-figure", "insight:study-beside", "insight:study-source",
    "insight:versions", "play:protocol-file", "play:protocol-versions",
    "play:studies",
    "review:attempt", "review:attempts", "review:check", "review:collection", "review:collection-choices",
    "review:collections", "review:comment", "review:comments", "review:exports", "review:others",
    "review:stored-recording", "studio:cards", "studio:environment-now", "studio:exploration",
    "studio:qualification", "studio:random-play",
}  # fmt: skip
"""Pages for readers of environments, replays or boards without a frame, a recording, a note or a source:
text and figures, or a page whose frames come from another address."""
CHANGES = {
    "arena:card-note", "arena:dropped-remove", "arena:export-card", "arena:export-environment",
    "review:acknowledge", "review:collect", "review:collection-item", "review:export-cancel",
    "review:attempt-exports", "play:internal-begin",
}  # fmt: skip
"""What only changes something. The page of an attempt's exports takes its pictures from `review:picture`."""


def seen_by(name: str) -> set[tuple[str, str]]:
    return {(one.environment.code, one.kind.value) for one in accounts_seen() if one.account.name == name}


def staff_views(patterns: Any, room: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from staff_views(pattern.url_patterns, f"{pattern.namespace}:")
        elif isinstance(pattern, URLPattern):
            yield f"{room}{pattern.name}", pattern.callback


@pytest.fixture
def played() -> Attempt:
    """A person's attempt at wk01, whose session goes on."""
    return make.play(make.session(make.study("wk01")), [4, 4])


def test_every_page_of_environments_declares_whether_it_shows_them() -> None:
    readers = {
        *(Right.READ_BASELINES, Right.READ_BOARDS, Right.WATCH_ATTEMPTS, Right.WATCH_REPLAYS),
        Right.PLAY_INTERNALLY,
    }
    views = dict(staff_views(get_resolver().url_patterns))
    readable = {name for name, view in views.items() if declared_access(view) in readers}
    assert {name for name in readable if not hasattr(views[name], "shows")} == SHOWS_NOTHING | CHANGES


@pytest.mark.services
def test_staff_are_counted_once_a_day_for_each_way_and_not_where_they_are_refused(played: Attempt) -> None:
    lead, engineer = signed_in(Role.LEAD), signed_in(Role.ENGINEER)
    for name in ("review:journal", "review:recording", "review:picture"):
        address = f"{reverse(name, args=[played.pk])}?action=0"
        assert [lead.get(address).status_code for _ in range(2)] == [200, 200]
        assert engineer.get(address).status_code == 403
    for name in ("studio:environment", "insight:environment"):
        assert lead.get(reverse(name, args=["wk01"])).status_code == 200
    assert lead.get(reverse("studio:environment", args=["none"])).status_code == 404
    assert seen_by("lead") == {("wk01", how) for how in ("replay", "file", "frames", "studio")}
    assert Sighting.objects.count() == 4


@pytest.mark.services
def test_days_are_counted_with_the_first_and_the_last() -> None:
    environment, lead = make.environment("wk01"), staff(Role.LEAD)
    before = now() - timedelta(days=3)
    day = before.astimezone(UTC).date()
    Sighting.objects.create(environment=environment, staff=lead, kind="live", day=day, at=before)
    for _ in range(2):
        note_sightings([environment.pk], SightingKind.LIVE, lead)
    [found] = accounts_seen()
    assert (found.days, found.first_at) == (2, before)
    assert found.last_at > before


def test_the_wall_counts_attempts_that_are_open_or_were_a_moment_ago(played: Attempt) -> None:
    assert played.session is not None
    assert played.ended_at is not None
    note_watched(staff(Role.PROCTOR), [played.session.pk + 1], 10)
    with make.at(played.ended_at + timedelta(seconds=11)):
        note_watched(staff(Role.PROCTOR), [played.session.pk], 10)
    assert not accounts_seen()
    with make.at(played.ended_at + timedelta(seconds=9)):
        note_watched(staff(Role.PROCTOR), [played.session.pk], 10)
    assert seen_by("proctor") == {("wk01", "live")}


def test_files_count_every_environment_in_them(played: Attempt, tmp_path: Path) -> None:
    assert played.session is not None
    study = played.session.study
    of_attempt = Export(kind=ExportKind.GIF, attempt=played)
    of_study = Export(kind=ExportKind.STUDY_CSV, study=study)
    assert [one.code for one in environments_of(of_attempt)] == ["wk01"]
    assert [one.code for one in environments_of(of_study)] == ["wk01"]
    call_command("export_study", study.name, to=tmp_path / "study", format="csv")
    assert seen_by("manage.py export_study") == {("wk01", "file")}
    on_a_card(write_run(version("ck01"), [1]))
    call_command("export_runs", environment="ck01", to=tmp_path / "held back", format="csv")
    assert not seen_by("manage.py export_runs")
    call_command("export_runs", environment="ck01", to=tmp_path / "runs", format="csv", held_out=True)
    assert seen_by("manage.py export_runs") == {("ck01", "file")}


def test_a_key_that_takes_a_source_is_counted_without_a_run() -> None:
    chosen = version("wk01")
    Environment.objects.update(release_set="public")
    key, _ = create_key("Robot", ["public"])
    for _ in range(2):
        async_to_sync(read_source)(Request("GET", "", {}, b""), key, game_id_of(chosen))
    with pytest.raises(ApiError):
        async_to_sync(read_source)(Request("GET", "", {}, b""), key, "wk01-none")
    assert seen_by(f"API key {key}") == {("wk01", "source")}


def test_the_page_counts_accounts_people_and_files_by_the_set_of_now(played: Attempt) -> None:
    Environment.objects.update(release_set="private")
    note_sightings([played.environment_id], SightingKind.SOURCE, None, "API key Robot (…abcd)")
    signed_in(Role.LEAD).get(reverse("review:recording", args=[played.pk]))
    [found] = exposure.environments()
    assert [one.name for one in found.accounts] == ["API key Robot (…abcd)", "lead"]
    assert (len(found.people), found.taken, found.runs, found.scores) == (1, 2, 0, 0)
    assert found.first_at == played.first_frame_at
    private = next(one for one in exposure.sets([found]) if one.release_set == "private")
    assert (private.accounts, private.people, private.taken, private.keys_that_saw) == (2, 1, 2, 0)
    page = shown(Role.ENGINEER)
    assert "took play of it as a file" in page
    assert "API key Robot (…abcd)" in page
    listed = {(row["account"], row["account_kind"], row["how"]) for row in rows("exposure-accounts")}
    assert listed == {("lead", "staff", "file"), ("API key Robot (…abcd)", "other", "source")}


def test_records_of_one_person_are_one_person_and_rehearsals_nobody(played: Attempt) -> None:
    assert played.session is not None
    other = make.play(make.session(played.session.study), [4])
    rehearsal = make.study("wk01", rehearsal=True)
    make.play(make.session(rehearsal), [4])
    assert len(exposure.environments()[0].people) == 2
    assert played.participant is not None
    assert other.participant is not None
    link_records(played.participant, other.participant.label, "The same card.", staff(Role.LEAD))
    assert len(exposure.environments()[0].people) == 1


def test_only_who_watches_attempts_is_led_to_those_of_people(played: Attempt) -> None:
    for role, linked in ((Role.ENGINEER, False), (Role.DESIGNER, True)):
        page = signed_in(role).get(f"{reverse('arena:exposure')}?environment=wk01").content.decode()
        assert (reverse("review:attempts") + "?environment=" in page) is linked
    assert signed_in(Role.PROCTOR).get(reverse("arena:exposure")).status_code == 403
