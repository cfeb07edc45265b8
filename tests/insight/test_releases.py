"""Baseline releases never change, list all their inputs and are compared with today."""

import json
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from playtest.insight.models import Release, ReleaseInput
from playtest.insight.pages.baseline.releases import compare, inputs, inputs_digest
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.services.releases import release
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import RULE_VERSION
from tests import make
from tests.insight.up_to_date import baseline_of, up_to_date
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study()


def solve(study: Study, wasted: int = 0) -> Attempt:
    return make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)


def provisional_release(**options: Any) -> Release:
    return release(find_version("wk01"), staff(Role.LEAD), "A first look.", provisional=True, **options)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as found:
        act()
    return found.value.code


def page(number: int, role: Role = Role.RESEARCHER) -> str:
    found = signed_in(role).get(reverse("insight:release", args=["wk01", number]))
    assert found.status_code == 200
    return str(found.content.decode())


def printed(*arguments: str) -> str:
    """Returns the command's output about the first release."""
    output = StringIO()
    call_command("baseline", "wk01", "--release", "1", *arguments, stdout=output)
    return output.getvalue()


def test_a_release_stores_the_numbers_and_every_input(study: Study) -> None:
    attempts = [solve(study, 20), make.play(make.session(study), WALK[:4])]
    made = provisional_release()
    assert (made.number, made.rule_version, made.people, made.note) == (1, RULE_VERSION, 1, "A first look.")
    assert made.provisional
    assert made.released_by == staff(Role.LEAD)
    assert made.levels[0] == {
        "level": 1, "completers": 2, "upper_median": 23, "best": 3, "fewest_known": 3,
        "fewest_is_proven": False, "low": None, "high": None, "of_actions": "undo counted",
    }  # fmt: skip
    stored = ReleaseInput.objects.order_by("attempt", "level").values_list(
        "attempt", "level", "actions", "counted", "why_out"
    )
    assert list(stored[6:]) == [
        (attempts[1].pk, 1, 3, True, ""),
        (attempts[1].pk, 2, 1, False, "not completed: gave up"),
    ]
    assert stored.count() == 8


def test_a_releases_digest_is_that_of_its_file(study: Study) -> None:
    solve(study)
    made = provisional_release()
    file = signed_in(Role.ENGINEER).get(reverse("insight:release-inputs", args=["wk01", 1])).content
    assert sha256(file).hexdigest() == made.inputs_digest
    assert (
        file.decode().splitlines()[1]
        == f"{RULE_VERSION},{made.version.digest},1,{Attempt.objects.get().pk},3,1,,undo counted"
    )
    assert made.inputs_digest in page(1)


def test_an_early_release_keeps_its_file_and_is_not_released_again(study: Study) -> None:
    """Its digest is that of a file without the last column, which is written as it was."""
    attempt = solve(study)
    made = provisional_release()
    levels = [{name: level[name] for name in level if name != "of_actions"} for level in made.levels]
    lines = ["rule,version,level,attempt,actions,counted,why_out"]
    lines += [
        f"{RULE_VERSION},{made.version.digest},{level},{attempt.pk},{level_actions},1,"
        for level, level_actions in enumerate([3] * 6, start=1)
    ]
    file = "".join(f"{line}\r\n" for line in lines).encode()
    early = Release.objects.create(
        version=made.version, environment=made.environment, number=2, rule_version=RULE_VERSION, people=1,
        asked=10, levels=levels, inputs_digest=sha256(file).hexdigest(), released_at=made.released_at,
    )  # fmt: skip
    for one in made.inputs.all():
        one.pk, one.release = None, early
        one.save(force_insert=True)
    given = signed_in(Role.ENGINEER).get(reverse("insight:release-inputs", args=["wk01", 2])).content
    assert given == file
    found = compare(early)
    assert (found.same, found.withdrawn) == (True, False)
    assert refused(provisional_release) == "release_unchanged"


def test_a_release_page_says_whether_its_inputs_and_numbers_hold(study: Study) -> None:
    left, _ = solve(study, 4), solve(study, 9)
    made = provisional_release()
    up_to_date()
    found = compare(made)
    assert (found.same, found.holds, found.withdrawn) == (True, True, False)
    assert "its inputs are unchanged" in page(1)

    make.play(make.session(study), WALK[:4])
    settled(left.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    up_to_date()
    found = compare(made)
    assert (found.same, found.holds) == (False, True)  # of 3 and 12 the upper median is 12, as of 7 and 12
    assert "its inputs changed, its numbers did not" in page(1)

    make.play(make.session(study), [*[2] * 4, *WALK[:4]])
    up_to_date()
    found = compare(made)
    assert not found.holds
    assert [(level.then["upper_median"], level.now["upper_median"]) for level in found.levels][:2] == [
        (12, 7),
        (3, 3),
    ]
    assert "its numbers changed" in page(1)


@pytest.mark.services
def test_a_withdrawal_deletes_inputs_and_leaves_the_numbers(study: Study) -> None:
    gone, stays = solve(study, 9), solve(study)
    made = provisional_release()
    assert json.loads(printed("--json"))["withdrawn"] is False
    gone.session.ended_at, gone.session.end_reason = gone.ended_at, "time_over"
    gone.session.save()
    withdraw(gone.participant, staff(Role.LEAD))
    assert set(ReleaseInput.objects.values_list("attempt", flat=True)) == {stays.pk}
    up_to_date()
    found = compare(Release.objects.get())
    assert (found.withdrawn, found.same, found.holds) == (True, False, False)
    assert found.levels[0].then["upper_median"] == made.levels[0]["upper_median"] == 12
    assert "no longer has the SHA-256 below" in page(1)
    assert "someone has withdrawn since: their inputs are deleted, the numbers stay\n" in printed()
    output = json.loads(printed("--json"))
    level = output["levels"][0]
    assert (output["withdrawn"], level["completers"], level["actions"]) == (True, 2, [3])


def test_an_invalid_release_is_refused_and_stores_nothing(study: Study) -> None:
    version, lead = find_version("wk01"), staff(Role.LEAD)
    rehearsal = make.study(rehearsal=True)
    solve(rehearsal)
    make.play(make.session(study), WALK[:9])
    assert refused(provisional_release) == "level_without_completer"
    solve(study)
    assert refused(lambda: release(version, lead, "Words.")) == "baseline_provisional"
    assert refused(lambda: release(version, lead, "  ", provisional=True)) == "note_missing"
    assert refused(lambda: provisional_release(scope=Scope(rehearsal))) == "rehearsal_not_published"
    assert refused(lambda: provisional_release(scope=Scope(study))) == "scope_not_published"
    assert refused(lambda: provisional_release(scope=Scope(with_excluded=True))) == "scope_not_published"
    assert refused(lambda: provisional_release(seen="0" * 64)) == "inputs_changed"
    assert Release.objects.count() == 0
    provisional_release(number=1)
    solve(study, 2)
    assert refused(lambda: provisional_release(number=1)) == "release_taken"
    provisional_release(number=2)
    assert refused(lambda: provisional_release(number=3)) == "release_unchanged"
    assert list(Release.objects.values_list("number", flat=True)) == [1, 2]


def test_a_baseline_is_provisional_until_ten_people_have_counted(study: Study) -> None:
    for _ in range(9):
        solve(study, 13)
    solve(study)  # in the baseline, but with 18 actions no attempt
    version, home = find_version("wk01"), reverse("insight:baseline", args=["wk01"])
    assert "provisional, 9 of 10 counted people" in _text(Role.ENGINEER, home)
    assert refused(lambda: release(version, None)) == "baseline_provisional"
    solve(study, 13)
    assert ": 10 counted people" in _text(Role.ENGINEER, home)
    made = release(version, None)
    assert (made.people, made.provisional, made.note) == (10, False, "")


def test_the_page_says_that_a_release_combines_versions_of_the_protocol(study: Study) -> None:
    solve(study)
    provisional_release()
    assert "These results combine" not in page(1)
    make.change(study, more_than_actions=3)
    solve(study)
    provisional_release()
    assert "These results combine versions 1 and 2 of the protocol." in page(2)
    facts = json.loads(printed("--json"))["protocols"]
    assert (facts["sentence"], [version["version"] for version in facts["versions"]]) == ("", [1])
    assert "These results combine" not in page(1), "a release has the versions of its own inputs"


def test_a_lead_releases_from_the_page_and_a_form_sent_twice_releases_once(study: Study) -> None:
    solve(study)
    client, home = signed_in(Role.LEAD), reverse("insight:baseline", args=["wk01"])
    shown = client.get(home).content.decode()
    assert "Release baseline 1" in shown
    report = baseline_of(find_version("wk01"))
    form = {
        "version": report.version.digest,
        "number": "1",
        "inputs": inputs_digest(report.version.digest, inputs(report)),
        "note": "For the workshop.",
    }
    address = reverse("insight:release-new", args=["wk01"])
    unsaid = client.post(address, form)
    assert unsaid.status_code == 409
    assert "baseline_provisional" in unsaid.content.decode()
    assert "For the workshop." in unsaid.content.decode()
    done = client.post(address, {**form, "provisional": "yes"}, follow=True)
    assert done.redirect_chain[-1][0] == reverse("insight:release", args=["wk01", 1])
    again = client.post(address, {**form, "provisional": "yes"})
    assert (again.status_code, Release.objects.count()) == (409, 1)
    assert reverse("insight:release", args=["wk01", 1]) in client.get(home).content.decode()
    assert client.post(address, {**form, "study": "999"}).status_code == 404


def test_releasing_requires_the_right_and_the_scope_of_everyone(study: Study) -> None:
    solve(study)
    home = reverse("insight:baseline", args=["wk01"])
    offered = {
        role: "Release this baseline" in _text(role, home) for role in (Role.RESEARCHER, Role.DESIGNER)
    }
    assert offered == {Role.RESEARCHER: True, Role.DESIGNER: False}
    for query in (f"?study={study.pk}", "?excluded=with"):
        assert "Release this baseline" not in _text(Role.RESEARCHER, home + query)
    assert signed_in(Role.DESIGNER).post(reverse("insight:release-new", args=["wk01"])).status_code == 403
    assert signed_in(Role.DESIGNER).get(reverse("insight:release", args=["wk01", 7])).status_code == 404


def _text(role: Role, address: str) -> str:
    return str(signed_in(role).get(address).content.decode())
