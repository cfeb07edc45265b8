"""The page of exposure: disclosed scores, and the keys, accounts and people that saw environments."""

import csv
import io
import json
import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.arena.models import ApiKey
from playtest.arena.runs import exposure
from playtest.arena.runs.custody import disclose
from playtest.arena.runs.keys import key_of
from playtest.arena.scores.submissions import import_submission, remove_submission
from playtest.people.roles import Role
from playtest.studio.models import Environment
from tests import make
from tests.arena.scores import agents
from tests.browsing import ORIGIN, browse
from tests.make_tasks import small_task
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def shown(role: Role) -> str:
    answer = signed_in(role).get(reverse("arena:exposure"))
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def rows(name: str) -> list[dict[str, str]]:
    text = signed_in(Role.RESEARCHER).get(reverse(f"arena:{name}")).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def two_keys() -> None:
    """Robot has a private score over wk01 and ck01; =Robot plays wk01 since it was public."""
    for code, release_set in (("wk01", "public"), ("ck01", "private")):
        make.environment(code)
        Environment.objects.filter(code=code).update(release_set=release_set)
    agents.run(agents.card("=Robot"), ["111"])
    Environment.objects.update(release_set="private")
    card = agents.card("Robot", competition=True, sets=["private"])
    agents.run(card, ["1+", "1"])
    agents.run(card, ["1"], "ck01")
    disclose(agents.closed(card))


def test_an_installation_without_agents_says_what_will_appear() -> None:
    page = shown(Role.RESEARCHER)
    assert "0 scores disclosed, 0 of them over held-out environments" in page
    assert "Nobody has seen an environment." in page
    assert "No score was disclosed." in page
    assert "some 10,000 scores" in page


def test_scored_files_of_answers_are_listed_and_in_the_file(two_keys: None) -> None:
    tasks = [small_task(code, [[1]]) for code in ("task-1", "task-2")]
    Environment.objects.filter(pk__in=[task.pk for task in tasks]).update(release_set="semi_private")
    answers = {"task-1": [{"attempt_1": [[1]], "attempt_2": [[0]]}]}
    made = import_submission(json.dumps(answers).encode(), program="Search", cost=None, by=staff(Role.LEAD))
    remove_submission(made, staff(Role.LEAD), "A test.")
    page = shown(Role.RESEARCHER)
    assert "2 scores disclosed, 2 of them over held-out environments" in page
    assert re.search(r"Scored files of answers to static tasks .* semi-private 2 Search", page)
    card, file = rows("exposure-scores")
    assert (card["key"], card["program"]) == ("Robot", "")
    assert (file["set"], file["environments"], file["program"], file["card_id"]) == (
        "semi_private", "2", "Search", "",
    )  # fmt: skip
    assert file["submission_file"] == str(made.pk)


@pytest.mark.services
def test_scores_and_keys_are_counted_by_the_set_of_then(two_keys: None) -> None:
    found = {one.release_set.value: one for one in exposure.sets(exposure.environments())}
    assert set(found) == {"public", "semi_private", "private"}
    public, private = found["public"], found["private"]
    assert (public.environments, public.keys_that_saw, public.runs, public.scores) == (0, 1, 1, 0)
    assert (private.environments, private.keys_that_saw, private.runs, private.scores) == (2, 1, 2, 1)
    assert found["semi_private"].runs == 0
    assert "The score of a closed scorecard is counted once a set" in shown(Role.ENGINEER)
    assert "1 score disclosed, 1 of them over held-out environments" in shown(Role.ENGINEER)


def test_keys_are_counted_as_allowed_until_they_are_revoked() -> None:
    agents.card("Robot", sets=["public"])
    ApiKey.objects.update(sets=["public"])
    allowed = {one.release_set.value: one.keys_allowed for one in exposure.sets([])}
    assert allowed == {"public": 1, "semi_private": 0, "private": 0}
    ApiKey.objects.update(revoked_at="2026-01-01T00:00:00Z")
    assert exposure.sets([])[0].keys_allowed == 0


def test_each_environment_names_the_keys_that_saw_it(two_keys: None) -> None:
    ck01, wk01 = exposure.environments()
    assert [key.name for key in wk01.keys] == ["=Robot", "Robot"]
    assert (wk01.runs, wk01.actions, wk01.scores, wk01.was_public) == (2, 6, 1, True)
    assert (ck01.runs, ck01.actions, ck01.scores, ck01.was_public) == (1, 1, 1, False)
    assert shown(Role.LEAD).count("was played while public") == 1


def test_an_environment_that_was_taken_out_of_its_set_is_still_counted(two_keys: None) -> None:
    Environment.objects.update(release_set="none")
    assert len(exposure.environments()) == 2
    assert "none" not in [one.release_set.value for one in exposure.sets([])]
    agents.run(agents.card("Robot"), ["1"])
    assert exposure.sets([])[-1].release_set.value == "none"


def test_files_have_every_row_and_are_safe_to_open(two_keys: None) -> None:
    [score] = rows("exposure-scores")
    assert (score["set"], score["environments"], score["key"]) == ("private", "2", "Robot")
    found = [
        (row["environment"], row["set_then"], row["set_now"], row["key"]) for row in rows("exposure-keys")
    ]
    assert found == [
        ("ck01", "private", "private", "Robot"),
        ("wk01", "public", "private", "'=Robot"),
        ("wk01", "private", "private", "Robot"),
    ]


def test_only_who_manages_keys_is_led_to_them(two_keys: None) -> None:
    address = reverse("arena:key", args=[ApiKey.objects.get(name="Robot").pk])
    for role, linked in ((Role.ENGINEER, True), (Role.DESIGNER, False)):
        page = signed_in(role).get(reverse("arena:exposure")).content.decode()
        assert (address in page) is linked
        assert (reverse("arena:keys") in page) is linked


def test_a_key_is_created_copied_and_shown_once(page: Page) -> None:
    browse(page, signed_in(Role.ENGINEER))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{ORIGIN}{reverse('arena:keys')}")
    page.get_by_label("Name").fill("Laboratory")
    page.get_by_label("fully private").check()
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("button", name="Copy key").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    key = key_of(page.evaluate("navigator.clipboard.readText()"))
    assert key is not None
    assert key.sets == ["public", "private"]
    page.reload()  # the address is the key's: nothing is created again
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laboratory was never used")
    assert ApiKey.objects.count() == 1
