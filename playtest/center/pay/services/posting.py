"""Posts the fee and the bonus of a session to its account, once."""

from decimal import Decimal

from django.db import transaction

from playtest.center.pay.models import PaidSession, PayAccount, PayLine
from playtest.play.clock import now
from playtest.play.models import Session
from playtest.play.sessions.locks import locked_session
from playtest.rules.attempt import Outcome
from playtest.rules.pay import LineKind


def post_session(session: Session, **_: object) -> PayAccount | None:
    """Posts what an ended session has earned under its protocol; None if consent was not given.

    Called at the end of every session, and by the worker for sessions that have no fee line (`pay.tasks`).
    A second call posts nothing. Voids and exclusions do not change pay.
    """
    with transaction.atomic():
        session = locked_session(session.pk)
        if session.ended_at is None or session.consent_id is None:
            return None
        account = account_of(session)
        if not account.lines.filter(kind=LineKind.FEE).exists():
            pay = session.prescribed.pay
            bonus = pay.bonus * session.attempts.filter(outcome=Outcome.COMPLETED).count()
            post_line(account, LineKind.FEE, pay.fee)
            if bonus:
                post_line(account, LineKind.BONUS, bonus)
    return account


def account_of(session: Session) -> PayAccount:
    """The account of a session whose row is locked, opened if there is none. Its own row is locked."""
    link = PaidSession.objects.filter(session=session).first()
    if link is not None:
        return lock_account(link.account_id)
    account = PayAccount.objects.create(
        study=session.study,
        participant=session.participant,
        held_at=session.checked_in_at or session.created_at,
        opened_at=now(),
    )
    PaidSession.objects.create(account=account, session=session)
    return account


def lock_account(pk: int) -> PayAccount:
    return PayAccount.objects.select_for_update().get(pk=pk)


def post_line(account: PayAccount, kind: LineKind, amount: Decimal, **about: object) -> PayLine:
    """Adds a line to an account whose row is locked."""
    return PayLine.objects.create(account=account, kind=kind.value, amount=amount, posted_at=now(), **about)
