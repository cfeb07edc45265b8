"""An export saves its progress while other processes write to the journal."""

from collections.abc import Callable

import pytest

from tests.live.server import Server

pytestmark = pytest.mark.once

SCRIPT = """
import sqlite3, sys, django
django.setup()
from django.conf import settings
from playtest.play.clock import now
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import Export, ExportKind
from playtest.review.services import export_files
from playtest.review.services.dataset import make_dataset
from playtest.jobs import lifecycle
from tests import make

attempt = make.play(make.session(make.study()), [4, 3] * 101)
beside = sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None)
beside.execute("CREATE TABLE noted (progress REAL)")
lifecycle._SECONDS_BETWEEN_REPORTS = 0

def while_others_write(maker):
    def make(export, path, report):
        def told(done, total):
            if done == total or done % 40 == 0:
                beside.execute("INSERT INTO noted VALUES (?)", [done / total])
                report(done, total)
        return maker(export, path, told)
    return make

film = FilmOptions(scale=1).stored
for kind, options, maker in (
    (ExportKind.MP4, film, export_files.make_film),
    (ExportKind.STUDY_CSV, {"identified": False}, make_dataset),
):
    whose = {"study": attempt.session.study} if maker is make_dataset else {"attempt": attempt}
    export = Export.objects.create(kind=kind, options=options, requested_at=now(), **whose)
    export_files.make(export.pk, while_others_write(maker))
    export.refresh_from_db()
    print(kind, export.status, export.error)
"""


def test_writes_during_an_export_do_not_stop_it(make_server: Callable[..., Server]) -> None:
    said = make_server(DJANGO_SETTINGS_MODULE="playtest.settings").run("-c", SCRIPT)
    assert said.split("\n")[:2] == ["mp4 done ", "study_csv done "]
