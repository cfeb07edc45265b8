"""A study's protocol has versions: a draft, frozen at a check-in, then the next version."""

import json
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import ProtocolVersion, Study
from playtest.play.sessions.services import check_in, create_session, reissue_code
from playtest.play.sessions.status import session_status
from playtest.play.sessions.studies import change_study
from playtest.rules.pipeline import Stage
from playtest.rules.protocol import Protocol
from tests import make
from tests.protocols import prescribed
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REASON = "The pilot showed that ten minutes are enough."


def change(study: Study, **changes: Any) -> None:
    named = {name: changes.pop(name) for name in ("name", "open", "rehearsal", "reason") if name in changes}
    protocol = prescribed(study.protocol, **changes)
    change_study(study, pool=list(study.pool.all()), protocol=protocol, staff=staff(Role.LEAD), **named)


def refused(study: Study, **changes: Any) -> str:
    """Returns the refusal's code and checks that nothing was stored."""
    before = Study.objects.values().get(), list(ProtocolVersion.objects.values())
    with pytest.raises(Refusal) as raised:
        change(study, **changes)
    assert (Study.objects.values().get(), list(ProtocolVersion.objects.values())) == before
    return raised.value.code


def numbers(study: Study) -> list[tuple[int, bool]]:
    """Returns each version's number and whether it is frozen."""
    rows = study.protocol_versions.order_by("number").values_list("number", "frozen_at")
    return [(number, frozen_at is not None) for number, frozen_at in rows]


def test_a_draft_changes_in_place_and_needs_no_reason() -> None:
    study = make.study()
    assert numbers(study) == [(1, False)]
    change(study, hard_seconds=2700)
    assert numbers(study) == [(1, False)]
    assert study.protocol.limits.hard_seconds == 2700
    assert study.newest_version.digest == study.protocol.digest
    create_session(study, new_participant(), None)
    assert numbers(study) == [(1, False)], "a code that nobody has used freezes nothing"


@pytest.mark.services
def test_the_first_check_in_freezes_it_and_a_change_makes_the_next() -> None:
    study = make.study()
    first = make.session(study)
    assert numbers(study) == [(1, True)]
    change(study, reason=REASON, hard_seconds=2700)
    assert numbers(study) == [(1, True), (2, False)]
    newest = study.newest_version
    assert (newest.created_by, newest.reason) == (staff(Role.LEAD), REASON)
    change(study, reason=REASON, hard_seconds=3600)
    assert numbers(study) == [(1, True), (2, False)], "nobody has checked in under the second"
    second = make.session(study)
    assert numbers(study) == [(1, True), (2, True)]
    first.refresh_from_db()
    assert (first.prescribed.limits.hard_seconds, second.prescribed.limits.hard_seconds) == (1800, 3600)


def test_a_session_keeps_its_version_when_it_checks_in_again() -> None:
    study = make.study()
    session = make.session(study)
    change(study, reason=REASON, session_seconds=60)
    code = reissue_code(session, staff(Role.LEAD))
    again, _ = check_in(code, station=2)
    assert (again.pk, again.protocol) == (session.pk, session.protocol)
    assert again.prescribed.limits.session_seconds == 5400
    assert numbers(study) == [(1, True), (2, False)]


@pytest.mark.parametrize("rehearsal", [False, True])
def test_whether_it_is_a_rehearsal_is_fixed_with_the_first_frozen_version(rehearsal: bool) -> None:
    study = make.study(rehearsal=rehearsal)
    study.pool.update(stage=Stage.EXTERNAL)
    create_session(study, new_participant(), None)
    change(study, rehearsal=not rehearsal)
    assert Study.objects.get().rehearsal is not rehearsal
    make.session(study)
    assert refused(study, rehearsal=rehearsal, reason=REASON) == "rehearsal_fixed"
    change(study, reason=REASON, hard_seconds=2700)
    assert refused(study, rehearsal=rehearsal, reason=REASON) == "rehearsal_fixed"


@pytest.mark.parametrize(
    "changes",
    [
        {"soft_seconds": 600},
        {"session_seconds": 600},
        {"more_than_actions": 20},
        {"less_than_seconds": 600},
        {"people": 5},
        {"solvers": 3},
        {"fee": 1},
        {"bonus": 1},
        {"consent_text": "Other words."},
        {"effort": {"fast_share": 1}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_change_of_a_frozen_version_needs_a_reason(changes: dict[str, Any]) -> None:
    study = make.session(make.study()).study
    assert refused(study, **changes) == "reason_missing"
    assert refused(study, reason="too short", **changes) == "reason_missing"
    assert refused(study, reason="x" * 2_001, **changes) == "reason_too_long"
    change(study, reason=f"  {REASON} ", **changes)
    assert [version.reason for version in study.protocol_versions.order_by("number")] == ["", REASON]


def test_the_pool_is_part_of_a_version() -> None:
    study = make.session(make.study()).study
    pool = [*study.pool.all(), make.as_external(make.environment("rn01"))]
    with pytest.raises(Refusal) as raised:
        change_study(study, pool=pool)
    assert raised.value.code == "reason_missing"
    assert study.pool.count() == 1
    change_study(study, pool=pool, reason=REASON)
    versions = study.protocol_versions.order_by("number")
    assert [version.value.environments for version in versions] == [("wk01",), ("rn01", "wk01")]


def test_equal_documents_are_parsed_once_and_a_changed_draft_again() -> None:
    study = make.study()
    before = study.newest_version
    assert study.newest_version.value is before.value
    change(study, hard_seconds=2700)
    assert study.newest_version.value.limits.hard_seconds == 2700
    before.document["limits"]["soft_seconds"] = 60
    assert before.value.limits.soft_seconds == 60, "whatever its digest says"


def test_sessions_in_memory_share_a_frozen_version() -> None:
    study = make.study()
    one, other = (session_status(make.session(study).pk, now()).session for _ in range(2))
    assert one.prescribed is other.prescribed
    assert one.protocol is other.protocol
    changed = ProtocolVersion.objects.get(study=study)
    changed.document["limits"]["soft_seconds"] = 60
    assert changed.shared is changed, "whatever its digest says"
    draft = make.study().newest_version
    assert draft.shared is draft


def test_name_and_opening_are_not_part_of_a_version() -> None:
    study = make.session(make.study()).study
    change(study, name="Renamed", open=False)
    change(study, hard_seconds=1800)
    assert numbers(study) == [(1, True)]


def test_freezing_a_version_does_not_freeze_another_study() -> None:
    """Each study numbers and freezes its own versions."""
    one, other = make.study(), make.study()
    make.session(one)
    assert (numbers(one), numbers(other)) == ([(1, True)], [(1, False)])


def two_versions() -> Study:
    study = make.session(make.study(name="Pilot")).study
    change(study, reason=REASON, hard_seconds=2700, effort={"fast_share": 1})
    return study


def test_the_page_shows_all_versions_and_what_differs() -> None:
    study = two_versions()
    address = reverse("play:protocol-versions", args=[study.pk])
    page = signed_in(Role.ENGINEER).get(address).content.decode()
    assert "Version 2 of the protocol is a draft" in page
    assert "2 differences between versions 1 and 2" in page
    assert "Hard limit" in page
    assert "30:00 min</td>" in page
    assert "45:00 min</td>" in page
    assert "Effort threshold fast_share" in page
    assert REASON in page
    assert "Change</a>" not in page, "an engineer may look, and not change"
    same = signed_in(Role.LEAD).get(address, {"before": "1", "after": "1"}).content.decode()
    assert "Versions 1 and 1 prescribe the same" in same
    assert "Change</a>" in same


def test_the_page_of_a_version_shows_all_its_values() -> None:
    study = make.study()
    page = signed_in(Role.LEAD).get(reverse("play:protocol-versions", args=[study.pk])).content.decode()
    assert "Version 1 of the protocol is a draft" in page
    assert "differences between" not in page
    assert "at most 1 try in 10,000" in page


@pytest.mark.parametrize("query", ["?after=9", "?before=0", "?before=x", "?after=99999999999999999999"])
def test_versions_that_do_not_exist_are_not_found(query: str) -> None:
    study = make.study()
    address = reverse("play:protocol-versions", args=[study.pk])
    assert signed_in(Role.LEAD).get(address + query).status_code == 404
    assert signed_in(Role.LEAD).get(reverse("play:protocol-file", args=[study.pk, 2])).status_code == 404


def test_a_version_is_exported_with_a_digest_that_anyone_can_check() -> None:
    study = two_versions()
    answer = signed_in(Role.ENGINEER).get(reverse("play:protocol-file", args=[study.pk, 1]))
    document = json.loads(answer.content)
    assert answer["Content-Disposition"].startswith('attachment; filename="study-')
    text = json.dumps(document["protocol"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha256(text.encode()).hexdigest() == document["digest"]
    assert Protocol.of(document["protocol"]) == study.protocol_versions.get(number=1).value
    assert (document["study"], document["version"], document["rehearsal"]) == ("Pilot", 1, False)
    assert document["frozen_at"] is not None


def test_only_staff_see_protocols(client: Client) -> None:
    study = make.study()
    for name, args in (("protocol-versions", [study.pk]), ("protocol-file", [study.pk, 1])):
        answer = client.get(reverse(f"play:{name}", args=args))
        assert answer.status_code == 302
        assert "/staff/sign-in" in answer["Location"]
