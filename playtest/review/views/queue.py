"""The review queue with one session at a time, the list of decisions, and reviewers' agreement."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.center.interventions.queries import standing_voids
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session, Study
from playtest.play.models.study import held_here
from playtest.review.models import OTHER_REASON, REASONS, Decision, DecisionKind, Strength
from playtest.review.queries import queue as queries
from playtest.review.queries.agreement import CLASSES, ReviewReport, review_report
from playtest.review.queries.decisions import newest_shown, shown_to, status_label
from playtest.review.services.decisions import MOST_CHARACTERS, Chosen
from playtest.review.services.decisions import decide as decide_service
from playtest.review.services.decisions import reverse as reverse_service
from playtest.review.views.blind import chosen, is_blind, remember_shown
from playtest.rules.agreement import FORMULA
from playtest.rules.text import whole_number
from playtest.studio.templatetags.environments import masked_cells


def _reasons() -> list[tuple[str, Any]]:
    groups = (("To keep", DecisionKind.KEEP), ("To exclude", DecisionKind.EXCLUDE_SESSION))
    return [
        ("", "choose a reason"),
        *(
            (title, [pair for pair in REASONS[kind].items() if pair[0] != OTHER_REASON])
            for title, kind in groups
        ),
        (OTHER_REASON, REASONS[DecisionKind.KEEP][OTHER_REASON]),
    ]


def _in_table(label: str, **attributes: str) -> dict[str, str]:
    """The attributes of a field that stands in the table of the session, outside the form's element."""
    return {"form": "verdict", "aria-label": label, **attributes}


class DecisionForm(forms.Form):
    """One verdict; the pressed button sets its kind. Each attempt has a tick and a first action left out."""

    kind = forms.ChoiceField(
        choices=[
            (kind.value, kind.label)
            for kind in (DecisionKind.KEEP, DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_SESSION)
        ],
        widget=forms.HiddenInput,
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
        self._attempts = attempts
        for attempt in attempts:
            name = f"environment {attempt.number}, {attempt.environment.code}"
            tick = forms.CheckboxInput(_in_table(f"Exclude {name}"))
            first = forms.NumberInput(_in_table(f"First action left out of {name}", placeholder="from"))
            self.fields[f"out_{attempt.pk}"] = forms.BooleanField(required=False, widget=tick)
            self.fields[f"from_{attempt.pk}"] = forms.IntegerField(required=False, min_value=1, widget=first)

    @property
    def rows(self) -> list[tuple[Attempt, str, forms.BoundField, forms.BoundField]]:
        """Each attempt with its levels as dots and its two fields."""
        return [(one, _strip(one), self[f"out_{one.pk}"], self[f"from_{one.pk}"]) for one in self._attempts]

    @property
    def chosen(self) -> list[Chosen]:
        """The attempts to leave out; a first action alone chooses its attempt."""
        given = [
            (attempt.pk, self.cleaned_data[f"out_{attempt.pk}"], self.cleaned_data[f"from_{attempt.pk}"])
            for attempt in self._attempts
        ]
        return [(pk, moment) for pk, ticked, moment in given if ticked or moment is not None]

    def clean(self) -> dict[str, Any]:
        """Refuses ticks beside "Keep everything"."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == DecisionKind.KEEP and not self.errors and self.chosen:
            message = "You chose environments to exclude: untick them to keep everything."
            raise forms.ValidationError(message, code="keep_and_exclude")
        return cleaned


@require_safe
@requires(Right.REVIEW_EFFORT)
def queue(request: StaffRequest) -> HttpResponse:
    """The first session that waits for this reviewer, or the next after `?after=`."""
    waiting = queries.queue(request.user)
    after = whole_number(request.GET.get("after", ""))
    place = waiting.index(after) + 1 if after in waiting else 0
    if not waiting:
        context = {"voided": standing_voids().count(), "elsewhere": queries.elsewhere(request.user)}
        return render(request, "review/no-case.html", context)
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
        chosen = form.chosen if given["kind"] == DecisionKind.EXCLUDE_ATTEMPT else []
        attempt_id, from_seq = chosen[0] if chosen else (None, None)
        try:
            decision = decide_service(
                session,
                request.user,
                DecisionKind(given["kind"]) if from_seq is None else DecisionKind.EXCLUDE_FROM,
                given["reason"],
                given["explanation"],
                attempt_id=attempt_id,
                from_seq=from_seq,
                more=chosen[1:],
                seen=given["seen"],
                blind=is_blind(request, pk),
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
        return " The first reviewer came to the same: it is in force."
    if decision.answers_id:
        return (
            " The first reviewer gave another verdict: a third reviewer settles it."
            " Until then everything counts."
        )
    if decision.settles_id:
        return " This settles it: it is in force."
    if decision.needs_confirmation:
        return " It waits for a second reviewer, who does not see it. Until both agree, everything counts."
    return ""


_FIELD_OF_REFUSAL = {"reason_unknown": "reason", "explanation_missing": "explanation"}


def _error(refusal: Refusal) -> forms.ValidationError:
    return forms.ValidationError(refusal.message, code=refusal.code)


_BY_STRENGTH = (Strength.STRONG, Strength.REVIEW, Strength.NOTE)
_MOST_FLAGS = 6
"""So many are shown at once; the others, and what opens no review, are folded."""


def _page(
    request: StaffRequest, session: Session, waiting: list[int], form: DecisionForm | None = None
) -> HttpResponse:
    found = queries.case(session, request.user)
    in_queue, closed = session.pk in waiting, found.proposed is not None or _others_settle(found)
    # A decided session is decided again only on purpose, or when something new has opened it.
    again = form is not None or "again" in request.GET
    decided = [] if in_queue or closed or again else found.in_force
    blind = in_queue and is_blind(request, session.pk)
    if not blind:
        remember_shown(request, session.pk)
    watched = _watched(found, request.GET.get("attempt", ""), blind=blind)
    flags = sorted(found.flags, key=lambda flag: _BY_STRENGTH.index(flag.strength))
    shown = min(_MOST_FLAGS, sum(flag.strength != Strength.NOTE for flag in flags))
    by_number = {attempt.number: attempt for attempt in found.attempts}
    shown_form = form or DecisionForm(found.attempts)
    context = {
        "case": found,
        "session": session,
        "masked": masked_cells(*(attempt.version for attempt in found.attempts)),
        "flags": flags[:shown],
        "more_flags": flags[shown:],
        "rows": shown_form.rows,
        "asks": not (closed or decided),
        "decided": [(decision, status_label(decision)) for decision in decided],
        "decisions": [(one, status_label(one)) for one in found.decisions if one not in decided],
        "blind": blind,
        "blind_chosen": chosen(request),
        "form": shown_form,
        "closed": closed,
        "reviewers": queries.elsewhere(request.user).reviewers,
        "seen": newest_shown(session, request.user),
        "watched": watched,
        "before": watched and by_number.get(watched.number - 1),
        "after": watched and by_number.get(watched.number + 1),
        "first": None if blind else _first_evidence(found, watched),
        "waiting_count": len(waiting),
        "voided": standing_voids().count(),
        "voided_here": set(
            standing_voids().filter(attempt__session=session).values_list("attempt", flat=True)
        ),
        "in_queue": in_queue,
        "strong": not blind and any(flag.strength == Strength.STRONG for flag in found.flags),
        "reverse_reasons": REASONS[DecisionKind.REVERSE].items(),
    }
    return render(request, "review/case.html", context, status=400 if form is not None else 200)


def _others_settle(case: queries.Case) -> bool:
    """Whether two verdicts differ, one of which is this reviewer's."""
    return case.dispute is not None and not case.settles


def _watched(case: queries.Case, wanted: str, *, blind: bool) -> Attempt | None:
    """The attempt to show: the one in the address, else the first with evidence of a flag, if not blind."""
    by_pk = {str(attempt.pk): attempt for attempt in case.attempts}
    flags = [] if blind else case.flags
    moments = [str(attempt) for flag in flags for attempt, _ in flag.figures["moments"]]
    shown = [by_pk[pk] for pk in (wanted, *moments, *by_pk) if pk in by_pk]
    return shown[0] if shown else None


def _first_evidence(case: queries.Case, watched: Attempt | None) -> int | None:
    """The action of the shown attempt that a flag names first; None if none names one."""
    moments = (moment for flag in case.flags for moment in flag.figures["moments"])
    return next((seq for pk, seq in moments if watched and pk == watched.pk), None)


def _strip(attempt: Attempt) -> str:
    return "●" * attempt.levels_completed + "○" * (attempt.version.levels - attempt.levels_completed)


def _find(pk: int) -> Session:
    return get_object_or_404(Session.objects.select_related("study", "participant", "protocol"), pk=pk)


@require_safe
@requires(Right.REVIEW_EFFORT)
def agreement(request: StaffRequest) -> HttpResponse:
    """Reviews and agreement of every study that was held here, with sessions that have ended."""
    studies = Study.objects.filter(held_here()).order_by("-created_at", "-pk")
    reports = [report for report in map(review_report, studies) if report.ended]
    context = {"reports": [_shown(report) for report in reports], "classes": CLASSES, "formula": FORMULA}
    return render(request, "review/agreement.html", context)


def _shown(report: ReviewReport) -> dict[str, Any]:
    agreed = report.agreement.agreed
    return {
        "report": report,
        "rows": [(first, [report.pairs[first, second] for second in CLASSES]) for first in CLASSES],
        "agreed": agreed and [f"{100 * value:.0f}" for value in (agreed.value, agreed.low, agreed.high)],
    }


_ROWS_A_PAGE = 50


@require_safe
@requires(Right.REVIEW_EFFORT)
def decisions(request: StaffRequest) -> HttpResponse:
    """Every decision that this reviewer may know now, newest first."""
    page = Paginator(shown_to(request.user), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(decision, status_label(decision)) for decision in page]
    return render(request, "review/decisions.html", {"page": page, "rows": rows})


@require_POST
@requires(Right.REVIEW_EFFORT)
def reverse(request: StaffRequest, pk: int) -> HttpResponse:
    """Reverses a decision."""
    reason = request.POST.get("reason", "")
    decision = get_object_or_404(Decision, pk=pk)
    with refusal_told(request, "Reversed."):
        reverse_service(pk, request.user, reason, request.POST.get("explanation", ""))
    return redirect("review:case", decision.session_id)
