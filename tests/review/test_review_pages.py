"""The review pages: evidence that leads to its moments, decisions that are kept, nothing of any baseline."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Session
from playtest.review.models import Decision, DecisionKind
from playtest.review.queries.exclusions import exclusions
from playtest.review.services.decisions import decide
from tests import make
from tests.browsing import ORIGIN, browse
from tests.review import cases
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def session() -> Session:
    return cases.one_hasty()


@pytest.fixture
def reviewer() -> Client:
    return signed_in(Role.RESEARCHER)


def content(client: Client, name: str, *arguments: int, **query: str) -> str:
    answer = client.get(reverse(f"review:{name}", args=arguments), query)
    assert answer.status_code == 200
    return answer.content.decode()


def send(client: Client, session: Session, kind: str, reason: str, **fields: object) -> str:
    """The decision, as the page's form sends it; the words of the page that follows."""
    values = {"kind": kind, "reason": reason, "explanation": cases.EXPLANATION, **fields}
    return client.post(reverse("review:decide", args=[session.pk]), values, follow=True).content.decode()


def test_the_queue_shows_its_first_session_with_evidence_and_moments(
    session: Session, reviewer: Client
) -> None:
    page = content(reviewer, "queue")
    attempt = session.attempts.get()
    assert session.participant.label in page
    assert "100 % of 40 actions changed nothing" in page
    assert f'href="?attempt={attempt.pk}#action=1"' in page
    assert f'src="{reverse("review:journal", args=[attempt.pk])}"' in page
    assert "○○○○○○" in page


def test_no_baseline_is_shown_to_a_reviewer(session: Session, reviewer: Client) -> None:
    for page in (content(reviewer, "queue"), content(reviewer, "case", session.pk)):
        assert not re.search("baseline|upper median", page.partition("<main")[2], re.IGNORECASE)


def test_a_simulated_person_and_a_running_session_are_marked(reviewer: Client) -> None:
    session = cases.hasty(cases.study_with_people(), new_participant(simulated=True))
    page = content(reviewer, "case", session.pk)
    assert ">simulated<" in page
    assert ">still running<" in page
    cases.ended(session)
    assert ">still running<" not in content(reviewer, "case", session.pk)


def test_later_leads_to_the_next_session_and_round_again(session: Session, reviewer: Client) -> None:
    other = cases.hasty(session.study, minutes_ago=5)
    assert session.participant.label in content(reviewer, "queue")
    assert other.participant.label in content(reviewer, "queue", after=str(session.pk))
    assert session.participant.label in content(reviewer, "queue", after=str(other.pk))
    assert session.participant.label in content(reviewer, "queue", after="nonsense")


def test_a_decision_is_stored_and_the_next_session_is_shown(session: Session, reviewer: Client) -> None:
    page = send(reviewer, session, "exclude_session", "did_not_try", explanation="Looked away.")
    assert "Decided: exclude the whole session." in page
    assert "No session to review" in page
    assert list(exclusions().sessions) == [session.pk]
    assert Decision.objects.get().explanation == "Looked away."


def test_several_environments_are_excluded_by_one_verdict(reviewer: Client) -> None:
    session = cases.one_cycler()
    one, other = session.attempts.order_by("number")
    fields = {f"out_{one.pk}": "on", f"out_{other.pk}": "on", f"from_{other.pk}": 1}
    send(reviewer, session, "exclude_attempt", "idle", **fields)
    lead = signed_in(Role.LEAD)
    page = send(lead, session, "exclude_attempt", "idle", **fields)
    assert f"environment 2 (<code>{other.environment.code}</code>) from action 1" in page
    assert {pk: each.from_seq for pk, each in exclusions().attempts.items()} == {one.pk: 0, other.pk: 1}


@pytest.mark.parametrize(
    ("code", "kind", "reason", "fields"),
    [
        ("required", "keep", "", {}),
        ("invalid_choice", "reverse", "mistake", {}),
        ("explanation_missing", "exclude_session", "idle", {"explanation": ""}),
        ("min_value", "exclude_attempt", "idle", {"from_": 0}),
        ("keep_and_exclude", "keep", "tried", {"out_": "on"}),
    ],
)
def test_an_error_is_shown_beside_its_field(
    session: Session, reviewer: Client, code: str, kind: str, reason: str, fields: dict[str, Any]
) -> None:
    attempt = session.attempts.get().pk
    fields = {f"{name}{attempt}" if name.endswith("_") else name: value for name, value in fields.items()}
    assert f"<code>{code}</code>" in send(reviewer, session, kind, reason, **fields)
    assert not Decision.objects.exists()


def test_who_decides_from_an_old_page_is_shown_what_was_decided_meanwhile(
    session: Session, reviewer: Client
) -> None:
    seen = re.findall('name="seen" value="(\\d+)"', content(reviewer, "case", session.pk))
    other = decide(session, staff(Role.LEAD), DecisionKind.KEEP, "tried", "She was reading the board.")
    page = send(reviewer, session, "exclude_session", "idle", seen=seen[0])
    assert "<code>decided_meanwhile</code>" in page
    assert "She was reading the board." in page
    assert f'name="seen" value="{other.pk}"' in page
    assert Decision.objects.count() == 1


def test_a_strong_case_asks_for_a_second_reviewer(reviewer: Client) -> None:
    session = cases.one_cycler()
    assert "It waits for a second reviewer" in send(reviewer, session, "exclude_session", "cycled")
    page = content(reviewer, "case", session.pk)
    assert "You decided: <strong>exclude the whole session</strong>" in page
    assert "You are the only one who may review here." in page
    assert "wait for a second reviewer" not in page
    assert "1 session that you have judged waits for a second reviewer" in content(reviewer, "queue")
    lead = signed_in(Role.LEAD)
    assert "You are the only one" not in content(reviewer, "queue")
    assert "Two reviewers judge this session" in content(lead, "queue")
    assert "in force, confirmed by lead" in send(lead, session, "exclude_session", "cycled")


def test_a_decision_is_reversed_from_its_page(session: Session, reviewer: Client) -> None:
    decision = decide(
        session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try", cases.EXPLANATION
    )
    address = reverse("review:decision-reverse", args=[decision.pk])
    assert address in content(reviewer, "case", session.pk)
    assert "(reason_unknown)" in reviewer.post(address, {"reason": "cycled"}, follow=True).content.decode()
    page = reviewer.post(address, {"reason": "disagree"}, follow=True).content.decode()
    assert "reversed by researcher" in page
    assert address not in page


def test_a_decided_session_shows_who_decided_when_and_why_instead_of_a_form(
    session: Session, reviewer: Client
) -> None:
    made = decide(session, staff(Role.LEAD), DecisionKind.KEEP, "tried", "She read the board.")
    page = content(reviewer, "case", session.pk)
    assert "<h2>Decided</h2>" in page
    assert f"{made.decided_at:%-d %B %Y}" in page or str(made.decided_at.year) in page
    for said in ("lead: keep everything", "tried: the replay shows how they played", "She read the board."):
        assert said in page
    assert "Your decision" not in page
    address = reverse("review:decision-reverse", args=[made.pk])
    page = reviewer.post(address, {"reason": "disagree"}, follow=True).content.decode()
    assert "<h2>Decided</h2>" not in page
    assert "Your decision" in page


def test_the_rest_of_a_session_is_decided_about_only_on_purpose(reviewer: Client) -> None:
    session, lead = cases.one_cycler(), staff(Role.LEAD)
    one = session.attempts.first()
    assert one is not None
    first = decide(session, lead, DecisionKind.EXCLUDE_ATTEMPT, "idle", cases.EXPLANATION, attempt_id=one.pk)
    cases.confirm(first, cases.someone_else(lead))
    page = content(reviewer, "case", session.pk)
    assert "Your decision" not in page
    assert 'href="?again#decision"' in page
    assert "Your decision" in content(reviewer, "case", session.pk, again="")


def test_who_judges_blind_sees_neither_flags_nor_outcomes_before_the_verdict(
    session: Session, reviewer: Client
) -> None:
    page = content(reviewer, "case", session.pk, blind="yes")
    for hidden in ("changed nothing", "○○○○○○", ">Outcome<", 'first="', "Open the page of this attempt"):
        assert hidden not in page
    replay = reverse("review:journal", args=[session.attempts.get().pk])
    told = reviewer.get(replay).json()
    assert told["outcome"] == ""
    assert "attempt_ended" not in {event["kind"] for event in told["events"]}
    attempt = session.attempts.get().pk
    own = content(reviewer, "attempt", attempt)
    listed = content(reviewer, "attempts").partition(f"/attempts/{attempt}/")[2].partition("</tr>")[0]
    found = reviewer.get(reverse("people:search"), {"q": str(attempt)}).content.decode()
    assert "how it ended is shown after your verdict" in own
    assert "after your verdict" in listed
    beside = make.play(make.session(make.study(people=3)), [2] * 31).pk
    others = reviewer.get(reverse("review:others", args=[beside])).json()["others"]
    [compared] = [one["label"] for one in others if one["with"] == str(attempt)]
    assert "gave up" not in compared
    for hidden in ("0 of 6", 'class="wraps">gave up', "</code> gave up", "last-frame"):
        assert hidden not in own + listed + found
    send(reviewer, session, "keep", "tried")
    assert Decision.objects.get().blind is True
    page = content(reviewer, "case", session.pk)
    assert "changed nothing" in page
    assert "given blind" in page
    assert reviewer.get(replay).json()["outcome"] == "gave_up"
    assert "0 of 6" in content(reviewer, "attempts")


def test_a_verdict_is_not_blind_once_the_flags_were_shown(session: Session, reviewer: Client) -> None:
    content(reviewer, "case", session.pk)
    page = content(reviewer, "case", session.pk, blind="yes")
    assert "You judge blind from the next session on" in page
    send(reviewer, session, "keep", "tried")
    assert Decision.objects.get().blind is False


def test_every_decision_is_listed_with_who_when_why_and_rules(session: Session, reviewer: Client) -> None:
    assert "There are no decisions yet" in content(reviewer, "decisions")
    decide(session, staff(Role.LEAD), DecisionKind.KEEP, "other", "Left-handed.")
    page = content(reviewer, "decisions")
    for expected in ("lead", session.participant.label, "keep everything", "“Left-handed.”", "in force"):
        assert expected in page


def test_a_proctor_reads_the_flags_of_a_running_session_without_links(session: Session) -> None:
    address = reverse("center:session", args=[session.pk])
    page = signed_in(Role.PROCTOR).get(address).content.decode()
    assert "100 % of 40 actions changed nothing" in page
    assert "#action=1" not in page
    assert "/staff/review/" not in page.partition("<main")[2]
    page = signed_in(Role.LEAD).get(address).content.decode()
    assert f'href="{reverse("review:attempt", args=[session.attempts.get().pk])}#action=1"' in page
    assert reverse("review:case", args=[session.pk]) in page


def test_a_session_is_decided_in_the_browser(page: Page, session: Session) -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:queue')}")
    page.get_by_label("Reason").select_option("tried: the replay shows how they played")
    page.get_by_role("button", name="Keep everything").click()
    expect(page.get_by_role("status")).to_contain_text("Decided: keep everything.")
    expect(page.get_by_role("heading", level=1)).to_have_text("No session to review")
