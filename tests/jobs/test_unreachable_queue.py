"""When the queue of jobs cannot be reached, what staff start is stored, waits, and the page says so."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from playtest.jobs.models import JobStatus
from playtest.jobs.queue import Queue
from playtest.people.roles import Role
from playtest.play.journal.triggers import remove_triggers, set_triggers
from playtest.review.models import Export
from playtest.review.services.exports import AT_ONCE_FRAMES
from playtest.studio.models import Exploration, Qualification, RandomPlay
from tests import make
from tests.staff import signed_in
from tests.studio.versions import walk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

STUDIO = "playtest.studio.views"


@pytest.fixture(autouse=True)
def flushed(transactional_db: None) -> Iterator[None]:
    """Flushes here, because the record cannot be deleted while the triggers are set."""
    yield
    remove_triggers(connection)
    call_command("flush", interactive=False, verbosity=0)
    set_triggers(connection)


@pytest.fixture
def unreachable(tmp_path: Path) -> Any:
    """A task of an application whose broker has a file where its folder of messages should be."""
    (tmp_path / "messages").touch()
    app = Celery("unreachable", broker="filesystem://", set_as_current=False)
    app.conf.broker_transport_options = {
        "data_folder_in": str(tmp_path / "messages"),
        "data_folder_out": str(tmp_path / "messages"),
        "control_folder": str(tmp_path / "control"),
    }

    @app.task(name="unreachable")
    def do_job(key: int) -> None:
        """No worker is ever told to do it."""

    return do_job


def test_a_queue_that_cannot_be_reached_is_tried_once(unreachable: Any) -> None:
    queue = Queue(unreachable)
    assert queue.reachable
    queue(1)
    queue(2)
    assert not queue.reachable


@pytest.mark.parametrize(
    ("name", "given", "tasks", "model"),
    [
        ("qualify", {"steps": 10}, ["qualifications.do_part"], Qualification),
        ("explore", {"level": 0, "nodes": 10, "seconds": 5}, ["explorations.do_exploration"], Exploration),
        ("gather", {}, ["random_plays.do_exploration", "random_plays.do_play"], Exploration),
        ("random-play-start", {}, ["random_plays.do_play"], RandomPlay),
    ],
)
def test_what_is_started_waits_and_the_page_says_so(
    name: str,
    given: dict[str, int],
    tasks: list[str],
    model: Any,
    unreachable: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for task in tasks:
        monkeypatch.setattr(f"{STUDIO}.{task}", unreachable)
    walk()
    address = reverse(f"studio:{name}", args=["wk01", *([2] if name == "random-play-start" else [])])
    page = signed_in(Role.LEAD).post(address, given, follow=True)
    assert page.status_code == 200
    assert page.text.count("queue_unreachable") == 1
    assert {row.status for row in model.objects.all()} == {JobStatus.WAITING}


def test_an_export_waits_and_the_page_says_so(unreachable: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playtest.review.views.dataset.make_export", unreachable)
    given = {"study": make.study().pk, "kind": "study_csv"}
    page = signed_in(Role.LEAD).post(reverse("review:data"), given, follow=True)
    assert page.status_code == 200
    assert page.text.count("queue_unreachable") == 1
    assert Export.objects.get().status == JobStatus.WAITING


def test_a_long_film_waits_and_the_page_says_so(unreachable: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playtest.review.views.exports.make_export", unreachable)
    attempt = make.play(make.session(make.study()), [2] * (AT_ONCE_FRAMES + 1))
    address = reverse("review:attempt-exports", args=[attempt.pk])
    given = {"kind": "gif", "clock": "action", "speed": "1", "scale": 2}
    page = signed_in(Role.LEAD).post(address, given, follow=True)
    assert page.status_code == 200
    assert page.text.count("queue_unreachable") == 1
    assert Export.objects.get().status == JobStatus.WAITING


def test_nothing_is_said_while_the_queue_works() -> None:
    walk()
    page = signed_in(Role.LEAD).post(reverse("studio:qualify", args=["wk01"]), {"steps": 10}, follow=True)
    assert page.status_code == 200
    assert "queue_unreachable" not in page.text
