"""Comments at a moment of a replay: who may write, change and delete them, and what is refused."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Comment
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REMARK = {"seq": 2, "seconds": 4.5, "text": " stuck here ", "tags": ["Stuck", "stuck", " first  wall ", ""]}


@pytest.fixture(scope="module")
def attempt(module_db: None) -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4])


def say(client: Client, attempt: Attempt, **changed: Any) -> tuple[int, dict[str, Any]]:
    """Status and answer of posting a remark."""
    return send(client, "post", reverse("review:comments", args=[attempt.pk]), REMARK | changed)


def send(client: Client, method: str, address: str, body: Any = None) -> tuple[int, dict[str, Any]]:
    text = body if isinstance(body, str) else json.dumps(body)
    answer = client.generic(method.upper(), address, text, content_type="application/json")
    return answer.status_code, json.loads(answer.content)


def test_a_comment_keeps_its_moment_author_and_tidy_tags(attempt: Attempt) -> None:
    status, _ = say(signed_in(Role.RESEARCHER), attempt)
    assert status == 201
    address = reverse("review:comments", args=[attempt.pk])
    (found,) = signed_in(Role.DESIGNER).get(address).json()["comments"]
    del found["id"], found["created_at"]
    assert found == {
        "seq": 2,
        "seconds": 4.5,
        "text": "stuck here",
        "tags": ["stuck", "first wall"],
        "author": "researcher",
        "mine": False,
        "changed_at": None,
    }


def test_comments_come_in_the_order_of_their_moments_and_of_one_attempt(attempt: Attempt) -> None:
    other = make.play(make.session(attempt.session.study), [4])
    client = signed_in(Role.LEAD)
    for seconds in (3, 1, 2):
        say(client, attempt, seconds=seconds)
    say(client, other, seq=0)
    found = client.get(reverse("review:comments", args=[attempt.pk])).json()["comments"]
    assert [comment["seconds"] for comment in found] == [1, 2, 3]


def test_an_author_changes_and_deletes_a_comment(attempt: Attempt) -> None:
    client = signed_in(Role.RESEARCHER)
    address = reverse("review:comment", args=[say(client, attempt)[1]["id"]])
    status, changed = send(client, "put", address, {"text": "", "tags": ["insight"]})
    assert (status, changed["text"], changed["tags"], changed["seconds"]) == (200, "", ["insight"], 4.5)
    assert changed["changed_at"] is not None
    assert send(client, "delete", address) == (200, {})
    assert not Comment.objects.exists()


@pytest.mark.parametrize("method", ["put", "delete"])
def test_nobody_changes_or_deletes_anothers_comment(attempt: Attempt, method: str) -> None:
    made = say(signed_in(Role.RESEARCHER), attempt)[1]
    address = reverse("review:comment", args=[made["id"]])
    status, answer = send(signed_in(Role.LEAD), method, address, {"text": "no", "tags": []})
    assert (status, answer["code"]) == (403, "comment_not_yours")
    assert Comment.objects.get().text == "stuck here"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"text": " ", "tags": [" "]}, "comment_empty"),
        ({"text": "x" * 2001}, "comment_too_long"),
        ({"tags": list("abcdefghi")}, "tags_too_many"),
        ({"tags": ["x" * 31]}, "tags_too_many"),
        ({"seq": 4}, "moment_unknown"),
        ({"seq": "2"}, "malformed_request"),
        ({"seq": 2**40}, "malformed_request"),
        ({"seconds": -1}, "malformed_request"),
        ({"seconds": float("nan")}, "malformed_request"),
        ({"text": 7}, "malformed_request"),
        ({"tags": "stuck"}, "malformed_request"),
        ({"tags": [1]}, "malformed_request"),
    ],
    ids=str,
)
def test_a_comment_that_makes_no_sense_is_refused(
    attempt: Attempt, changed: dict[str, Any], code: str
) -> None:
    status, answer = say(signed_in(Role.RESEARCHER), attempt, **changed)
    assert (status, answer["code"]) == (400, code)
    assert not Comment.objects.exists()


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("", (415, "json_required")),  # without a body there is no type either
        ("[]", (400, "malformed_request")),
        ("no json", (400, "malformed_request")),
    ],
)
def test_a_body_that_is_no_object_is_refused(attempt: Attempt, body: str, refusal: tuple[int, str]) -> None:
    address = reverse("review:comments", args=[attempt.pk])
    status, answer = send(signed_in(Role.LEAD), "post", address, body)
    assert (status, answer["code"]) == refusal
