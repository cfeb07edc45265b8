"""A row in every table of the record, signed: for tests of what cannot be changed unnoticed."""

from decimal import Decimal

from django.db import connection
from django_otp.oath import totp

from playtest.arena.models import BoardEntry, FinalReading, Holdout, Scorecard, ScoredTask, SubmissionFile
from playtest.arena.runs.cards import add_note
from playtest.arena.runs.custody import disclose
from playtest.arena.runs.keys import change_key
from playtest.arena.runs.owners import change_card
from playtest.arena.scores.boards import adopt_harness, declare, remove
from playtest.arena.scores.submissions import remove_submission
from playtest.center.models import AdjustmentReason, Slot, Void, VoidReversal
from playtest.center.pay.payments import issue_receipt, make_batch, pay_in_cash, take_back
from playtest.center.pay.services import decide_adjustment, enter_adjustment, set_budget
from playtest.center.same_records import link_records, reverse_link
from playtest.center.schedule.bookings import book
from playtest.insight.models import Release, ReleasedReport, ReleaseInput
from playtest.insight.services.reports import answer_item, deposit, register
from playtest.operation.installation import record_maintenance
from playtest.operation.models import MaintenanceKind
from playtest.operation.retention.services import record, set_period
from playtest.people.accounts import sign_out_own
from playtest.people.models import PersonExport, Staff
from playtest.people.retention import Period
from playtest.people.roles import Role
from playtest.people.second_factor import begin, confirm, device_of
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.journal.days import sign_days
from playtest.play.models import AgentNote, Attempt, OutsideAttempt, OutsideName, OutsideStudy, SessionEnd
from playtest.play.sessions.attempts import begin_run
from playtest.play.sessions.debriefs import answer_debrief
from playtest.play.sessions.ends import end_session
from playtest.review.models import Decision
from playtest.review.services.read_tokens import create_token
from playtest.review.services.withdrawal import withdraw
from playtest.rules.debrief import Answers
from playtest.rules.pipeline import Need
from playtest.studio.models import Recording, RecordingChange, SightingKind, StageMove, Version
from playtest.studio.services.masks import decide
from playtest.studio.services.redundancy import answer, mark_redundant
from playtest.studio.services.sightings import note_sightings
from playtest.studio.services.waivers import waive
from tests import make
from tests.arena.scores import agents
from tests.make import days_later
from tests.staff import staff


def recorded() -> Attempt:
    """Makes it all, with services where they are not longer than the row; returns the attempt."""
    study = make.study(people=100)
    gone = make.session(study, new_participant())
    end_session(gone, SessionEnd.ENDED_BY_STAFF)
    withdraw(gone.participant, None)
    attempt = make.play(make.session(study), [4, 4])
    release = Release.objects.create(
        version=attempt.version, environment=attempt.environment, number=1, rule_version="1", people=1,
        asked=10, levels=[], inputs_digest="", released_at=now(),
    )  # fmt: skip
    ReleaseInput.objects.create(release=release, attempt=attempt, level=1, actions=2, counted=True)
    deposit(register(study, None, people=1, analysis=""), None, "https://example.org/1")
    answer_item(study, "1.9", "None exists here.", None, based_on=0)
    create_token(study, "Notebook", 30, staff(Role.RESEARCHER))
    ReleasedReport.objects.create(release=release, study=study, document={}, digest="x")
    StageMove.objects.create(
        environment=attempt.environment, before="specification", after="internal", moved_at=now()
    )
    RecordingChange.objects.create(
        version=attempt.version, name="win", actions=1, before="win", reason="a copy", changed_at=now()
    )
    note_sightings([attempt.environment_id], SightingKind.LIVE, staff(Role.LEAD))
    decide(attempt.version, "0 0 64 1", "the counter", staff(Role.DESIGNER))
    waive(attempt.environment, Need.PLAYED, "It is small.", staff(Role.LEAD))
    marked = mark_redundant(attempt.environment, make.environment("ck01"), "alike", staff(Role.LEAD))
    answer(marked, "both are walks", staff(Role.DESIGNER), agrees=True)
    AgentNote.objects.create(attempt=begin_run(attempt.version), seq=1, reasoning="{}", request_key="a")
    agents.run(card := agents.card(), ["1+"])
    disclose(agents.closed(card))
    entered(card)
    answered(attempt.version)
    void = Void.objects.create(
        attempt=attempt, staff=staff(Role.PROCTOR), reason="technical", voided_at=now()
    )
    VoidReversal.objects.create(void=void, staff=staff(Role.LEAD), text="it ran again", reversed_at=now())
    paid()
    lead = staff(Role.LEAD)
    reverse_link(
        link_records(attempt.participant, new_participant().label, "the desk knows", lead), "no", lead
    )
    sign_out_own(lead)
    rule = set_period("contacts", 90, "the ethics board says so", lead)
    record("contacts", Period(90, rule), 1, now(), now())
    PersonExport.objects.create(participant=attempt.participant, held_out=False, asked_at=now())
    begin(lead)
    confirmed(lead)
    slot = Slot.objects.create(
        study=study,
        starts_at=days_later(1),
        ends_at=days_later(2),
        capacity=2,
        created_at=now(),
        created_by=lead,
    )
    book(slot, new_participant(), lead)
    judged(attempt)
    elsewhere = make.play(make.session(make.study(people=100)), [4])
    OutsideStudy.objects.create(study=elsewhere.session.study, source="a data set", imported_at=now())
    OutsideAttempt.objects.create(attempt=elsewhere, name="a", digest="0" * 64, imported_at=now())
    OutsideName.objects.create(study=elsewhere.session.study, kind="comment", row=1, name="7")
    sign_days(days_later(1))
    connection.check_constraints()  # PostgreSQL truncates nothing while some of them still wait
    return attempt


def confirmed(account: Staff) -> None:
    """A second factor with its recovery codes."""
    device = device_of(account, confirmed=False)
    assert device is not None
    code = totp(device.bin_key, device.step, device.t0, device.digits, device.drift)
    assert confirm(account, f"{code:06}") is not None


def answered(version: Version) -> None:
    """A file of a program's answers that has left its board."""
    file = SubmissionFile.objects.create(
        program="p", release_set="public", digest="0" * 64, text="{}", imported_at=now()
    )
    ScoredTask.objects.create(file=file, version=version, right=[[True, False]])
    remove_submission(file, None, "by mistake")


def entered(card: Scorecard) -> None:
    """A note on a scorecard, and an entry of the official board that was declared and removed."""
    engineer, lead = staff(Role.ENGINEER), staff(Role.LEAD)
    add_note(card, "Ran on a new machine.", lead)
    change_card(card, "marked", "final")
    parts = Holdout.objects.create(key=card.key, seed="7", parts={}, drawn_at=now(), drawn_by=lead)
    FinalReading.objects.create(holdout=parts, card=card, read_at=now(), read_by=lead)
    change_key(card.key, sets=["private"], per_minute=5, staff=lead)
    entry = BoardEntry.objects.create(
        card=card, board="official", agent="an agent", entered_at=now(), entered_by=engineer
    )
    declare(entry, adopt_harness("bench", "1", "", lead), lead, no_tools=True, evidence="Read three runs.")
    remove(entry, lead, "It had tools.")


def paid() -> None:
    """A session that ended, with an approved adjustment, a receipt, a batch and a budget."""
    session = make.session(make.study("ck01"))
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    lead, proctor = staff(Role.LEAD), staff(Role.PROCTOR)
    entered = enter_adjustment(session, Decimal(10), AdjustmentReason.WAITED, "The station failed.", proctor)
    decide_adjustment(entered, approved=True, text="", staff=lead)
    issue_receipt(entered.account, proctor)
    take_back(make_batch(None, None, None, lead), entered.account_id, "The account is closed.", lead)
    pay_in_cash(entered.account, proctor)
    set_budget(session.study, Decimal(1000), 80, "The sponsor gave this.", lead)


def judged(attempt: Attempt) -> None:
    """A verdict, a debrief, a developer's recording, and an audit."""
    Decision.objects.create(
        session=attempt.session, kind="keep", reason="tried", rule_version="1", opened_by="draw",
        reviewer=staff(Role.RESEARCHER), decided_at=now(),
    )  # fmt: skip
    answer_debrief(attempt.pk, Answers(difficulty=3, about="a walk"))
    Recording.objects.create(version=attempt.version, kind="win", name="w", actions=[[1]], made_at=now())
    record_maintenance(MaintenanceKind.AUDIT, now(), "1 attempt, 0 findings", succeeded=True)
