"""Scripts read the tables of one study with a token, and nothing else."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.review.models import Export, ReadToken
from playtest.review.services import read_tokens
from playtest.review.services.read_tokens import create_token, revoke_token
from playtest.review.tasks.exports import make_export
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def empty(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    cache.clear()


@pytest.fixture
def study() -> Study:
    study = make.study()
    make.play(make.session(study), WALK[:7])
    return study


def ask(secret: str, study: Study, table: str = "attempts.csv", **headers: str) -> Any:
    given = {"authorization": f"Bearer {secret}"} if secret else {}
    return Client(headers=given | headers).get(f"/api/data/{study.pk}/{table}")


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


@pytest.fixture
def token(study: Study) -> tuple[ReadToken, str]:
    return create_token(study, "Notebook of Ann", 30, staff(Role.RESEARCHER))


@pytest.mark.services
def test_a_table_is_read_with_the_token_of_its_study(
    study: Study,
    token: tuple[ReadToken, str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    made, secret = token
    for form in ("csv", "parquet"):
        with django_capture_on_commit_callbacks():
            waits = ask(secret, study, f"level_results.{form}")
        assert code(waits) == (429, "data_in_preparation")
        assert waits["Retry-After"] == "5"
        assert code(ask(secret, study, f"level_results.{form}")) == (429, "data_in_preparation")
        export = Export.objects.latest("pk")
        assert (export.options, export.requested_by) == ({"identified": False}, made.created_by)
        make_export(export.pk)
        answer = ask(secret, study, f"level_results.{form}")
        assert answer.status_code == 200
        content = answer.getvalue()
        assert len(content) == int(answer["Content-Length"])
        levels = (pl.read_csv if form == "csv" else pl.read_parquet)(io.BytesIO(content))
        assert levels["level"].to_list() == [1, 2, 3]
        same = ask(secret, study, f"level_results.{form}", if_none_match=answer["ETag"])
        assert (same.status_code, same.content) == (304, b"")
        assert answer["X-Of-Actions"] == "undo counted"
        assert "X-Of-Actions" not in same, "nothing is sent that it could be of"
        assert (
            ask(secret, study, f"level_results.{form}", if_modified_since=answer["Last-Modified"]).status_code
            == 304
        )
    assert Export.objects.count() == 2
    made.refresh_from_db()
    assert made.used_at is not None
    Export.objects.update(started_at=now() - timedelta(minutes=16))
    assert code(ask(secret, study)) == (429, "data_in_preparation")


def test_every_other_token_is_refused(study: Study, token: tuple[ReadToken, str]) -> None:
    made, secret = token
    other = make.study("ck01", name="Another")
    for answer in (ask("", study), ask("0" * 48, study), ask(secret, other), ask(made.token_hash, study)):
        assert code(answer) == (401, "token_invalid")
        assert answer["WWW-Authenticate"] == "Bearer"
    assert code(ask(secret, study, "no-table.csv")) == (404, "table_unknown")
    assert code(ask(secret, study, "attempts.xlsx")) == (404, "table_unknown")
    assert code(ask(secret, study)) == (429, "data_in_preparation")
    maker = made.created_by
    maker.role = Role.PROCTOR
    maker.save()
    assert code(ask(secret, study)) == (401, "token_invalid"), "its maker may no longer export"
    maker.role = Role.RESEARCHER
    maker.save()
    assert code(ask(secret, study)) == (429, "data_in_preparation")
    revoke_token(made, maker)
    assert code(ask(secret, study)) == (401, "token_invalid")
    with pytest.raises(Refusal, match="revoked"):
        revoke_token(made, maker)


def test_an_expired_token_is_refused(study: Study) -> None:
    with make.at(now() - timedelta(days=31)):
        _, secret = create_token(study, "Old", 30, staff(Role.LEAD))
    assert code(ask(secret, study)) == (401, "token_invalid")


def test_a_token_opens_no_page_and_a_sign_in_no_table(study: Study, token: tuple[ReadToken, str]) -> None:
    client = Client(headers={"authorization": f"Bearer {token[1]}"})
    for page in ("review:data", "review:exports", "review:attempts", "review:read-tokens"):
        assert client.get(reverse(page)).status_code == 302
    assert signed_in(Role.LEAD).get(f"/api/data/{study.pk}/attempts.csv").status_code == 401
    assert client.post(f"/api/data/{study.pk}/attempts.csv").status_code == 405


def test_requests_are_limited(
    study: Study, token: tuple[ReadToken, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_tokens, "PER_MINUTE", 4)
    answers = [code(ask(token[1], study))[1] for _ in range(5)]
    assert answers == ["data_in_preparation"] * 4 + ["too_many_requests"]
    guesses = [code(ask(f"{number}", study))[1] for number in range(5)]
    assert guesses == ["token_invalid"] * 4 + ["too_many_requests"]


def test_a_secret_is_shown_once_and_the_token_cannot_be_changed(study: Study) -> None:
    client, address = signed_in(Role.RESEARCHER), reverse("review:read-tokens")
    page = client.post(
        address, {"study": study.pk, "name": "Notebook", "days": 30, "form_token": "one"}
    ).content.decode()
    made = ReadToken.objects.get()
    secret = page.partition('value="')[2] and next(
        part.partition('"')[0]
        for part in page.split('value="')[1:]
        if part.partition('"')[0].endswith(made.hint)
    )
    assert code(ask(secret, study)) == (429, "data_in_preparation")
    again = client.get(address).content.decode()
    assert secret not in again
    assert "Notebook" in again
    client.post(address, {"study": study.pk, "name": "Notebook", "days": 30, "form_token": "one"})
    assert ReadToken.objects.count() == 1, "the same form is sent twice"
    assert "days" in client.post(address, {"study": study.pk, "name": "x", "days": 999}).content.decode()
    with pytest.raises(DatabaseError), transaction.atomic():
        ReadToken.objects.update(expires_at=now())
    client.post(reverse("review:read-token-revoke", args=[made.pk]))
    made.refresh_from_db()
    assert made.revoked_at is not None
    with pytest.raises(DatabaseError), transaction.atomic():
        ReadToken.objects.update(revoked_at=None)


def test_the_page_says_how_to_open_the_files() -> None:
    page = signed_in(Role.RESEARCHER).get(reverse("review:data-opening")).content.decode()
    for program in ("polars", "pandas", "fileEncoding", "Excel"):
        assert program in page
