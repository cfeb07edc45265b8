"""The review queue: one session at a time, its evidence beside the replay, the decision last."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.center.interventions.queries import standing_voids
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session
from playtest.review.decision_reasons import OTHER, REASONS
from playtest.review.models import Decision, DecisionKind, Strength
from playtest.review.queries import queue as queries
from playtest.review.queries.decisions import EXCLUDING, newest_decision, status_label
from playtest.review.services.decisions import MOST_CHARACTERS
from playtest.review.services.decisions import decide as decide_service
from playtest.rules.text import whole_number


def _reasons() -> list[tuple[str, Any]]:
    groups = (("To keep", DecisionKind.KEEP), ("To exclude", DecisionKind.EXCLUDE_SESSION))
    return [
        ("", "choose a reason"),
        *((title, [pair for pair in REASONS[kind].items() if pair[0] != OTHER]) for title, kind in groups),
        (OTHER, REASONS[DecisionKind.KEEP][OTHER]),
    ]


class DecisionForm(forms.Form):
    """One decision; the pressed button sets its kind."""

    kind = forms.ChoiceField(
        choices=[(kind.value, kind.label) for kind in (DecisionKind.KEEP, *EXCLUDING)],
        widget=forms.HiddenInput,
    )
    attempt = forms.TypedChoiceField(
        label="Environment, if only one is excluded", coerce=int, empty_value=None, required=False
    )
    from_seq = forms.IntegerField(
        label="First action left out, if the rest of it counts", min_value=1, required=False
    )
    reason = forms.ChoiceField(choices=_reasons)
    seen = forms.IntegerField(required=False, min_value=0)
    explanation = forms.CharField(
        label="Explanation",
        required=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, attempts: list[Attempt], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        choices = [(attempt.pk, f"{attempt.number}: {attempt.environment.code}") for attempt in attempts]
        self.fields["attempt"].choices = [("", "none"), *choices]  # type: ignore[attr-defined]


@require_safe
@requires(Right.REVIEW_EFFORT)
def queue(request: StaffRequest) -> HttpResponse:
    """The first session that waits for this reviewer, or the next after `?after=`."""
    waiting = queries.queue(request.user)
    after = whole_number(request.GET.get("after", ""))
    place = waiting.index(after) + 1 if after in waiting else 0
    if not waiting:
        return render(request, "review/no-case.html", {"voided": standing_voids().count()})
    return _page(request, _find(waiting[place % len(waiting)]), waiting)


@require_safe
@requires(Right.REVIEW_EFFORT)
def case(request: StaffRequest, pk: int) -> HttpResponse:
    """One session, whether or not it waits for a reviewer."""
    return _page(request, _find(pk), queries.queue(request.user))


@require_POST
@requires(Right.REVIEW_EFFORT)
def decide(request: StaffRequest, pk: int) -> HttpResponse:
    """Stores the decision, then shows the next session."""
    session = _find(pk)
    form = DecisionForm(list(session.attempts.select_related("environment").order_by("number")), request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            decision = decide_service(
                session,
                request.user,
                DecisionKind(given["kind"]),
                given["reason"],
                given["explanation"],
                attempt_id=given["attempt"],
                from_seq=given["from_seq"],
                seen=given["seen"],
            )
        except Refusal as refusal:
            form.add_error(_FIELD_OF_REFUSAL.get(refusal.code), _error(refusal))
        else:
            messages.success(request, f"Decided: {decision.get_kind_display()}.{_ending(decision)}")
            # After a second verdict, the case shows the first one.
            return redirect("review:case", pk) if decision.answers_id else redirect("review:queue")
    return _page(request, session, queries.queue(request.user), form)


def _ending(decision: Decision) -> str:
    if decision.confirms_id:
        return " The first reviewer agrees: it is in force."
    if decision.answers_id:
        return " The first reviewer gave another verdict, which is not in force."
    if decision.needs_confirmation:
        return (
            " It is proposed: it is in force once a second reviewer agrees. Until then, nothing is excluded."
        )
    return ""


_FIELD_OF_REFUSAL = {
    "reason_unknown": "reason",
    "explanation_missing": "explanation",
    "attempt_missing": "attempt",
    "attempt_elsewhere": "attempt",
    "moment_missing": "from_seq",
    "moment_out_of_range": "from_seq",
}


def _error(refusal: Refusal) -> forms.ValidationError:
    return forms.ValidationError(refusal.message, code=refusal.code)


def _page(
    request: StaffRequest, session: Session, waiting: list[int], form: DecisionForm | None = None
) -> HttpResponse:
    found = queries.case(session, request.user)
    watched = _watched(found, request.GET.get("attempt", ""))
    context = {
        "case": found,
        "session": session,
        "strips": [(attempt, _strip(attempt)) for attempt in found.attempts],
        "decisions": [(decision, status_label(decision)) for decision in found.decisions],
        "form": form or DecisionForm(found.attempts, initial={"attempt": watched.pk if watched else None}),
        "seen": newest_decision(session),
        "watched": watched,
        "waiting_count": len(waiting),
        "voided": standing_voids().count(),
        "voided_here": set(
            standing_voids().filter(attempt__session=session).values_list("attempt", flat=True)
        ),
        "in_queue": session.pk in waiting,
        "strong": any(flag.strength == Strength.STRONG for flag in found.flags),
        "reverse_reasons": REASONS[DecisionKind.REVERSE].items(),
    }
    return render(request, "review/case.html", context, status=400 if form is not None else 200)


def _watched(case: queries.Case, wanted: str) -> Attempt | None:
    """The attempt to show: the one in the address, else the first with evidence of a flag."""
    by_pk = {str(attempt.pk): attempt for attempt in case.attempts}
    moments = [str(attempt) for flag in case.flags for attempt, _ in flag.figures["moments"]]
    shown = [by_pk[pk] for pk in (wanted, *moments, *by_pk) if pk in by_pk]
    return shown[0] if shown else None


def _strip(attempt: Attempt) -> str:
    return "●" * attempt.levels_completed + "○" * (attempt.version.levels - attempt.levels_completed)


def _find(pk: int) -> Session:
    return get_object_or_404(Session.objects.select_related("study", "participant", "protocol"), pk=pk)
