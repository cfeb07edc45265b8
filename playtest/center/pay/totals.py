"""Totals of pay and hours by study, and how far its budget is used."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db.models import Count, F, Q, Sum

from playtest.center.pay.models import Adjustment, Budget, PayLine
from playtest.center.schedule.queries import booked_without_a_code
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.quota import waiting
from playtest.rules import pay
from playtest.rules.attempt import Outcome
from playtest.rules.pay import NOTHING, Balance, BudgetLevel, LineKind, amount_text, balance, plain


@dataclass(frozen=True)
class StudyPay:
    """Pay and hours of one study: of everyone in a rehearsal, else of real people only.

    `expected` is for `open_sessions`, which are booked (with a code or without) or under way. `waiting` are
    the amounts above zero that wait for approval. `session_hours` run from check-in to the end, `play_hours`
    from first frame to last action without pauses; withdrawn people are in neither.
    """

    study: Study
    balance: Balance
    sessions: int
    solved: int
    open_sessions: int
    expected: Decimal
    per_session: Decimal
    waiting: Decimal
    session_hours: float
    play_hours: float
    budget: pay.Budget | None

    @property
    def committed(self) -> Decimal:
        """Owed, waiting for approval or expected: what counts towards the budget."""
        return self.balance.owed + self.waiting + self.expected

    @property
    def left(self) -> Decimal | None:
        return None if self.budget is None else self.budget.left(self.committed)

    @property
    def beyond(self) -> Decimal:
        """By how much the budget is exceeded; 0 without a budget."""
        return NOTHING if self.left is None else max(NOTHING, -self.left)

    @property
    def sessions_left(self) -> int | None:
        """How many more sessions the budget has room for; None without a budget."""
        return None if self.budget is None else self.budget.sessions_left(self.committed, self.per_session)

    @property
    def level(self) -> BudgetLevel:
        if self.budget is None:
            return BudgetLevel.WITHIN
        return self.budget.level(self.committed, self.per_session)

    @property
    def warning(self) -> str:
        """A sentence for staff when the budget is nearly or wholly used; else empty."""
        if self.budget is None or self.level == BudgetLevel.WITHIN:
            return ""
        currency = self.study.currency
        used = f"{amount_text(self.committed, currency)} of {amount_text(self.budget.cap, currency)}"
        used += " is owed or expected"
        if self.level == BudgetLevel.REACHED:
            return f"The budget of {self.study.name} has no room for another session: {used}."
        more = f"{self.sessions_left} more session{'' if self.sessions_left == 1 else 's'}"
        return f"The budget of {self.study.name} is nearly used: {used}. It has room for {more}."


def budget_of(study: Study) -> pay.Budget | None:
    """The budget that holds now; None if there is none."""
    newest = study.budgets.order_by("-pk").first()
    return None if newest is None or newest.cap is None else pay.Budget(newest.cap, newest.warn_percent)


def study_pay(study: Study) -> StudyPay:
    return pay_of_studies([study])[0]


def warnings(studies: Collection[Study]) -> list[str]:
    """A sentence for each study whose budget is nearly or wholly used."""
    with_budget = set(Budget.objects.filter(study__in=studies).values_list("study", flat=True))
    found = pay_of_studies([study for study in studies if study.pk in with_budget])
    return [one.warning for one in found if one.warning]


def pay_of_studies(studies: Collection[Study]) -> list[StudyPay]:
    """The totals of each study, in the given order."""
    ledgers, adjustments, ended, hours = (
        _ledgers(studies),
        _waiting_adjustments(studies),
        _ended(studies),
        _hours(studies),
    )
    running = _running(studies)
    found = []
    for study in studies:
        sessions, solved, in_session = ended.get(study.pk, (0, 0, timedelta(0)))
        mean = Decimal(solved) / sessions if sessions else Decimal(0)
        newest = study.protocol.pay
        booked: list[tuple[pay.Pay | None, int]] = [(None, 0)] * booked_without_a_code(study)
        under_way = running.get(study.pk, []) + booked
        found.append(
            StudyPay(
                study=study,
                balance=balance(ledgers.get(study.pk, [])),
                sessions=sessions,
                solved=solved,
                open_sessions=len(under_way),
                expected=sum(((of or newest).expected(mean, done) for of, done in under_way), NOTHING),
                per_session=newest.expected(mean),
                waiting=adjustments.get(study.pk, NOTHING),
                session_hours=in_session / timedelta(hours=1),
                play_hours=hours.get(study.pk, timedelta(0)) / timedelta(hours=1),
                budget=budget_of(study),
            )
        )
    return found


def _real(prefix: str) -> Q:
    """Everyone of a rehearsal, and the real people of any other study."""
    return Q(**{f"{prefix}study__rehearsal": True}) | Q(**{f"{prefix}participant__simulated": False})


def _ledgers(studies: Collection[Study]) -> dict[int, list[tuple[LineKind, Decimal]]]:
    rows = PayLine.objects.filter(_real("account__"), account__study__in=studies)
    found: dict[int, list[tuple[LineKind, Decimal]]] = {}
    for row in rows.values("account__study", "kind").annotate(sum=Sum("amount")).order_by():
        found.setdefault(row["account__study"], []).append((LineKind(row["kind"]), plain(row["sum"])))
    return found


def _waiting_adjustments(studies: Collection[Study]) -> dict[int, Decimal]:
    rows = Adjustment.objects.filter(_real("account__"), account__study__in=studies)
    rows = rows.filter(decision__isnull=True, amount__gt=0)
    sums = rows.values("account__study").annotate(sum=Sum("amount")).order_by()
    return {row["account__study"]: plain(row["sum"]) for row in sums}


def _ended(studies: Collection[Study]) -> dict[int, tuple[int, int, timedelta]]:
    """Sessions that have ended with consent, environments solved in them, and time from check-in to end."""
    sessions = Session.objects.filter(
        _real(""), study__in=studies, ended_at__isnull=False, consent__isnull=False
    )
    spent = F("ended_at") - F("checked_in_at")
    rows = sessions.values("study").annotate(number=Count("pk"), spent=Sum(spent)).order_by()
    attempts = Attempt.objects.filter(session__in=sessions, outcome=Outcome.COMPLETED)
    counts = attempts.values("session__study").annotate(number=Count("pk")).order_by()
    solved = {row["session__study"]: row["number"] for row in counts}
    return {row["study"]: (row["number"], solved.get(row["study"], 0), row["spent"]) for row in rows}


def _hours(studies: Collection[Study]) -> dict[int, timedelta]:
    """Time of interaction by study, without pauses."""
    attempts = Attempt.objects.filter(_real("session__"), session__study__in=studies, ended_at__isnull=False)
    spent = F("last_action_at") - F("first_frame_at") - F("paused")
    rows = attempts.values("session__study").annotate(spent=Sum(spent)).order_by()
    return {row["session__study"]: row["spent"] or timedelta(0) for row in rows}


def _running(studies: Collection[Study]) -> dict[int, list[tuple[pay.Pay | None, int]]]:
    """For each session that has not ended its pay (None: not checked in) and what it has solved so far."""
    completed = Count("attempts", filter=Q(attempts__outcome=Outcome.COMPLETED))
    under_way = waiting() | Q(checked_in_at__isnull=False, ended_at__isnull=True)
    sessions = Session.objects.filter(_real(""), under_way, study__in=studies)
    found: dict[int, list[tuple[pay.Pay | None, int]]] = {}
    for session in sessions.select_related("protocol").annotate(done=completed):
        of = session.prescribed.pay if session.protocol else None
        found.setdefault(session.study_id, []).append((of, session.done))
    return found
