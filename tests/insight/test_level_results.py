"""Stored level results equal the rule's results of the journal, in any order of reading."""

from dataclasses import asdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from playtest.insight.compute import journal as reading
from playtest.insight.compute import results as service
from playtest.insight.compute.results import bring_up_to_date, rebuild
from playtest.insight.models import LevelResult, Release, ReleaseInput, Summary
from playtest.insight.tasks import LATELY, keep_up_to_date
from playtest.play.clock import now
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError
from playtest.rules.results import ResultEntry, level_results
from tests import make
from tests.databases import free_of_triggers
from tests.insight.journals import append, begin, stored
from tests.rules.levels import journal

pytestmark = pytest.mark.django_db

ODD = [0.25, 61.000001, 3.5, 0.0, 200.75]
PLAYED = [
    journal("bcRb.+ bb!R+ c", ODD * 3),
    journal("+++++W"),
    journal(""),
    journal("b.b.b. RR", [*[1.0] * 4, 0.125]),
    journal("b+ b+ b! R b", ODD * 2),
]
"""Some with times on the very second only, which SQLite writes without a fraction, some with none or both."""


def rule_results(entries: list[ResultEntry]) -> list[dict[str, Any]]:
    return [asdict(result) for result in level_results(entries)]


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


@pytest.fixture
def attempts(study: Study) -> dict[int, Attempt]:
    """Writes all journals in turns, as if stations played at the same time."""
    found = {who: begin(study, entries) for who, entries in enumerate(PLAYED)}
    for seq in range(1, max(map(len, PLAYED))):
        for who, attempt in found.items():
            append(attempt, PLAYED[who][seq : seq + 1])
    return found


def test_level_results_follow_the_journal_entry_by_entry(study: Study) -> None:
    attempts = {who: begin(study, entries) for who, entries in enumerate(PLAYED)}
    seen = dict.fromkeys(attempts, 1)
    for step in (0, 1, 3, 0, 2, 5, 20):
        for who, attempt in attempts.items():
            append(attempt, PLAYED[who][seen[who] : seen[who] + step])
            seen[who] += step
        bring_up_to_date(Attempt.objects.all())
        for who, attempt in attempts.items():
            assert stored(attempt) == rule_results(PLAYED[who][: seen[who]]), f"{who} after {seen[who]}"
    rebuild(Attempt.objects.all())
    assert {who: stored(attempt) for who, attempt in attempts.items()} == dict(
        enumerate(map(rule_results, PLAYED))
    )


@pytest.mark.once
def test_results_of_few_attempts_are_stored_at_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite nobody's action is stored in the meantime."""
    monkeypatch.setattr(reading, "ATTEMPTS_AT_ONCE", 2)
    for _ in range(5):
        begin(study, PLAYED[2])
    with CaptureQueriesContext(connection) as done:
        assert bring_up_to_date(Attempt.objects.all()) == 5
    assert sum('INSERT INTO "insight_summary"' in one["sql"] for one in done) == 3  # 2, 2 and 1


def test_level_results_do_not_depend_on_the_size_of_batches(
    attempts: dict[int, Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads one entry, twelve entries or all entries at once."""
    only = Attempt.objects.filter(pk__in=[attempts[who].pk for who in (0, 1, 3)])
    expected = {who: rule_results(entries) if who in (0, 1, 3) else [] for who, entries in enumerate(PLAYED)}
    for at_once in (1, 12, 10**6):
        monkeypatch.setattr(reading, "ENTRIES_AT_ONCE", at_once)
        Summary.objects.all().delete()
        LevelResult.objects.all().delete()
        assert bring_up_to_date(only) == 3
        found = {who: stored(attempt) for who, attempt in attempts.items()}
        assert found == expected, f"{at_once=}"


@pytest.mark.once
def test_states_of_different_lengths_are_different(study: Study) -> None:
    entries = [entry._replace(state_hash=entry.state_hash[:3]) for entry in journal("bcb+ c", ODD)]
    attempt = begin(study, entries)
    append(attempt, entries[1:])
    bring_up_to_date(Attempt.objects.all())
    assert stored(attempt) == rule_results(entries)


@pytest.mark.once
def test_an_update_without_news_needs_one_query(
    attempts: dict[int, Attempt], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert bring_up_to_date(Attempt.objects.all()) == len(PLAYED)
    with django_assert_num_queries(1):
        assert bring_up_to_date(Attempt.objects.all()) == 0


def test_an_update_with_fewer_entries_does_not_overwrite_a_newer_one(study: Study) -> None:
    entries = journal("b+ b+ b")
    attempt = begin(study, entries)
    append(attempt, entries[1:2])
    stale = service._stale(Attempt.objects.all())
    slow = service.compute(stale)
    append(attempt, entries[2:])
    bring_up_to_date(Attempt.objects.all())
    service._replace(stale, slow, delete_stored=False)
    assert stored(attempt) == rule_results(entries)
    service._replace(stale, slow, delete_stored=True)
    assert stored(attempt) == rule_results(entries[:2])
    bring_up_to_date(Attempt.objects.all())
    assert stored(attempt) == rule_results(entries)


def test_a_damaged_journal_has_no_results_and_the_others_have_theirs(
    study: Study, caplog: pytest.LogCaptureFixture
) -> None:
    entries = journal("b+ b+ b")
    damaged, whole = begin(study, entries), begin(study, entries)
    with free_of_triggers():
        append(damaged, [entries[1], entries[3]])
    append(whole, entries[1:])
    bring_up_to_date(Attempt.objects.all())
    assert (stored(damaged), stored(whole)) == ([], rule_results(entries))
    assert f"Attempt {damaged.pk}" in caplog.text
    with pytest.raises(RuleError, match=f"Attempt {damaged.pk}"):
        rebuild(Attempt.objects.all())


def test_an_attempt_deleted_during_an_update_leaves_no_results(attempts: dict[int, Attempt]) -> None:
    stale = service._stale(Attempt.objects.all())
    read = service.compute(stale)
    end_session(attempts[0].session, SessionEnd.ENDED_BY_STAFF)
    withdraw(attempts[0].participant, None)
    service._replace(stale, read, delete_stored=False)
    assert not LevelResult.objects.filter(attempt=attempts[0].pk).exists()
    assert stored(attempts[1]) == rule_results(PLAYED[1])


@pytest.mark.once
def test_a_withdrawal_deletes_results_and_release_inputs(attempts: dict[int, Attempt]) -> None:
    bring_up_to_date(Attempt.objects.all())
    gone, stays = attempts[0], attempts[1]
    release = Release.objects.create(
        environment=gone.environment, version=gone.version, number=1, rule_version="1", people=2,
        asked=10, levels=[], inputs_digest="0" * 64, released_at=now(),
    )  # fmt: skip
    for attempt in (gone, stays):
        ReleaseInput.objects.create(release=release, attempt=attempt, level=1, actions=6, counted=True)
    end_session(gone.session, SessionEnd.ENDED_BY_STAFF)
    removed = withdraw(gone.participant, None).removed
    assert (removed["insight.LevelResult"], removed["insight.Summary"], removed["insight.ReleaseInput"]) == (
        len(rule_results(PLAYED[0])), 1, 1,
    )  # fmt: skip
    for model in (LevelResult, Summary, ReleaseInput):
        assert not model._default_manager.filter(attempt=gone.pk).exists()
        assert model._default_manager.filter(attempt=stays).exists()
    assert Release.objects.get().inputs_digest == release.inputs_digest


@pytest.mark.once
def test_the_worker_updates_running_sessions_and_unread_attempts(study: Study) -> None:
    running = make.play(make.session(study), [4, 4], None)
    over, long_over, unread = (make.play(make.session(study), [4, 4, 4], Outcome.GAVE_UP) for _ in range(3))
    for attempt, ago in ((over, 0), (long_over, 2), (unread, 2)):
        end_session(attempt.session, SessionEnd.ENDED_BY_STAFF)
        Session.objects.filter(pk=attempt.session_pk).update(ended_at=now() - ago * LATELY)
    for attempt in (over, long_over):
        Summary.objects.create(attempt=attempt, through_seq=0)
    keep_up_to_date()
    assert [row["actions"] for row in stored(running)] == [2]
    assert [row["actions"] for row in stored(over)] == [row["actions"] for row in stored(unread)] == [3, 0]
    assert stored(long_over) == [], "what was read before is not looked at for ever; a page does"
