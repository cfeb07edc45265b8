"""The survey of a study is edited on a page, belongs to the protocol, and its answers are checked."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, Study
from playtest.play.sessions.reads import Stage, stage
from playtest.play.sessions.seats import COOKIE
from playtest.play.sessions.services import check_in, create_session, give_consent
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import PAPERS, QUESTIONS
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOURS = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
STORY = Question("words", "Words?", (), kind=Kind.TEXT, most=20)


@pytest.fixture
def study() -> Study:
    return make.study(survey=(HOURS,))


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)


def address(study: Study) -> str:
    return reverse("play:survey-edit", args=[study.pk])


def part(place: int, **values: Any) -> dict[str, Any]:
    row = {
        "text": "Hours?",
        "name": "hours",
        "kind": "number",
        "least": "0",
        "most": "24",
        "ORDER": place + 1,
    }
    return {f"question-{place}-{name}": value for name, value in (row | values).items()}


def form(study: Study, *parts: dict[str, Any], **values: Any) -> dict[str, Any]:
    rows = {name: value for one in parts for name, value in one.items()}
    known = len(study.protocol.survey)
    counts = {"question-TOTAL_FORMS": len(parts), "question-INITIAL_FORMS": known}
    return rows | counts | {"edition": study.newest_version.edition} | values


def shown_errors(answer: Any) -> list[str]:
    form, parts = answer.context["form"], answer.context["parts"]
    found = [error.code for errors in form.errors.as_data().values() for error in errors]
    return found + [
        error.code for one in parts.forms for errors in one.errors.as_data().values() for error in errors
    ]


def seated(client: Client, study: Study) -> Session:
    session, code = create_session(study, new_participant(), None)
    session, token = check_in(code, station=1)
    give_consent(session)
    client.cookies[COOKIE] = f"{session.pk}.{token}"
    session.refresh_from_db()
    return session


def test_questions_of_every_kind_are_saved_in_their_order(study: Study, researcher: Client) -> None:
    parts = (
        part(0, ORDER=4),
        part(
            1,
            text="Which?",
            name="which",
            kind="choice",
            choices="x: The first\nSecond one\n\n",
            ordered="on",
            ORDER=1,
        ),
        part(2, text="How?", name="how", kind="scale", least="1", most="7", low="bad", high="good", ORDER=2),
        part(3, text="Words?", name="words", kind="text", least="", most="20", ORDER=3),
    )
    assert researcher.post(address(study), form(study, *parts)).status_code == 302
    assert Study.objects.get().protocol.survey == (
        Question("which", "Which?", (("x", "The first"), ("second_one", "Second one")), ordered=True),
        Question("how", "How?", (), kind=Kind.SCALE, least=1, most=7, ends=("bad", "good")),
        STORY,
        HOURS,
    )


def test_an_unchanged_page_changes_nothing(researcher: Client) -> None:
    study = make.study(survey=(*QUESTIONS, *PAPERS, HOURS, STORY))
    page = researcher.get(address(study))
    rows = {
        f"{one.prefix}-{name}": "" if one[name].value() is None else one[name].value()
        for one in page.context["parts"].forms
        for name in one.fields
        if name != "DELETE"
    }
    before = study.newest_version.digest
    posted = form(study, **rows) | {"question-TOTAL_FORMS": len(study.protocol.survey)}
    assert researcher.post(address(study), posted).status_code == 302
    assert Study.objects.get().newest_version.digest == before


def test_a_removed_question_is_not_asked_again(study: Study, researcher: Client) -> None:
    assert researcher.post(address(study), form(study, part(0, DELETE="on"))).status_code == 302
    assert Study.objects.get().protocol.survey == ()


def test_adding_questions_keeps_what_was_written_and_saves_nothing(study: Study, researcher: Client) -> None:
    written = form(study, part(0, text="Hours a day?", most="nonsense"))
    one = researcher.post(address(study), written | {"add": "one"})
    assert [row["text"].value() or "" for row in one.context["parts"].forms] == ["Hours a day?", ""]
    assert one.context["parts"].forms[0]["most"].value() == "nonsense"
    papers = researcher.post(address(study), written | {"add": "papers"})
    names = [row["name"].value() for row in papers.context["parts"].forms]
    assert names == ["hours", *(question.name for question in (*QUESTIONS, *PAPERS))]
    assert Study.objects.get().protocol.survey == (HOURS,)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": ""}, "required"),
        ({"name": "Hours a day"}, "question_name_invalid"),
        ({"most": "x"}, "invalid"),
        ({"most": "-1"}, "bounds_invalid"),
        ({"kind": "choice", "choices": "only one"}, "choices_invalid"),
        ({"kind": "choice", "choices": "a: A\na: B"}, "choice_taken"),
    ],
)
def test_a_question_that_cannot_be_asked_is_marked(
    study: Study, researcher: Client, changes: dict[str, Any], code: str
) -> None:
    answer = researcher.post(address(study), form(study, part(0, **changes)))
    assert answer.status_code == 200
    assert code in shown_errors(answer)
    assert code == "required" or f"<code>{code}</code>" in answer.content.decode()
    assert Study.objects.get().protocol.survey == (HOURS,)


def test_two_questions_of_one_name_are_refused(study: Study, researcher: Client) -> None:
    answer = researcher.post(address(study), form(study, part(0), part(1)))
    assert "question_name_taken" in shown_errors(answer)


def test_a_frozen_survey_changes_with_a_reason_and_sessions_keep_theirs(
    study: Study, researcher: Client, client: Client
) -> None:
    session = seated(client, study)
    study.refresh_from_db()
    changed = form(study, part(0, text="Hours a day?"))
    assert "reason_missing" in shown_errors(researcher.post(address(study), changed))
    changed |= {"reason": "People asked what it means."}
    assert researcher.post(address(study), changed).status_code == 302
    assert Study.objects.get().newest_version.number == 2
    assert "Hours?" in client.get("/session/survey/").content.decode()
    session.refresh_from_db()
    assert session.prescribed.survey == (HOURS,)


def test_a_name_that_was_asked_is_not_answered_in_another_way(
    study: Study, researcher: Client, client: Client
) -> None:
    seated(client, study)
    study.refresh_from_db()
    changed = form(study, part(0, kind="text"), reason="Words say more than numbers.")
    assert "question_name_used" in shown_errors(researcher.post(address(study), changed))
    assert Study.objects.get().newest_version.number == 1


def test_two_people_who_edit_at_once_do_not_overwrite_each_other(study: Study, researcher: Client) -> None:
    stale = form(study, part(0, text="First?"))
    researcher.post(address(study), form(study, part(0, text="Second?")))
    assert "protocol_changed" in shown_errors(researcher.post(address(study), stale))
    assert Study.objects.get().protocol.survey[0].text == "Second?"


def test_a_wrong_answer_is_asked_again_with_what_was_written(client: Client) -> None:
    session = seated(client, make.study(survey=(HOURS, STORY)))
    page = client.post("/session/survey/", {"hours": "25", "words": "a <b>"}).content.decode()
    assert "answer_out_of_range" in page
    assert 'value="25"' in page
    assert "a &lt;b&gt;" in page
    session.refresh_from_db()
    assert session.survey is None
    assert client.post("/session/survey/", {"hours": "24", "words": "a"})["Location"] == "/session/"
    session.refresh_from_db()
    assert session.survey is not None
    assert session.survey.answers == {"hours": 24, "words": "a"}


def test_a_study_that_asks_nothing_goes_on_to_the_tutorial(client: Client) -> None:
    session = seated(client, make.study(survey=()))
    assert stage(session, now()) == Stage.TUTORIAL
    assert session.survey is not None
    assert session.survey.answers == {}
