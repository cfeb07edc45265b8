"""Studies: the list and the form. The page of one is `insight.study.views`."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.models.study import CONSENT_TEXT
from playtest.play.services.studies import change_study, create_study
from playtest.studio.models import Environment

_LIMITS = ("soft", "hard", "session")
_REHEARSAL_FIXED = (
    "Fixed since the first session: it decides whether the study's results count. Create another study."
)
_MOST_MINUTES = 24 * 60


class Minutes(forms.DecimalField):
    """A limit that people write in minutes and the study keeps in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=Decimal("0.1"), max_value=_MOST_MINUTES, decimal_places=1, step_size=0.1, **options
        )


class EnvironmentsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Environment) -> str:
        named = f"{obj.code} – {obj.title}" if obj.title else obj.code  # noqa: RUF001
        return f"{named} (in {obj.stage.capitalize()})"


class StudyForm(forms.Form):
    """A study's settings, defaults as the protocol has them."""

    name = forms.CharField(max_length=100)
    pool = EnvironmentsField(
        Environment.objects.filter(current__isnull=False), label="Environments in the pool"
    )
    soft_minutes = Minutes(
        label="Soft limit (minutes)", initial=20, help_text="Then the participant is asked to conclude."
    )
    hard_minutes = Minutes(
        label="Hard limit (minutes)", initial=30, help_text="Then the environment is cut off."
    )
    session_minutes = Minutes(
        label="Session (minutes)", initial=90, help_text="From check-in to the end of the sitting."
    )
    target_people = forms.IntegerField(
        label="People per environment",
        min_value=1,
        max_value=10_000,
        initial=10,
        help_text="Whose attempts count, and who still plays; whom reviewers exclude is replaced.",
    )
    fee = forms.DecimalField(
        label="Fee per session ($)", min_value=0, max_digits=8, decimal_places=2, initial=Decimal("115.00")
    )
    bonus = forms.DecimalField(
        label="Bonus per environment solved ($)",
        min_value=0,
        max_digits=8,
        decimal_places=2,
        initial=Decimal("5.00"),
    )
    consent_text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12}),
        initial=CONSENT_TEXT,
        help_text="Shown before anything is recorded; what each participant agreed to is kept.",
    )
    effort = forms.JSONField(
        required=False,
        initial=dict,
        label="Effort thresholds that differ from the rules' own",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text='Such as {"no_op_share": 0.7}. Sessions nobody has decided about are judged again.',
    )
    open = forms.BooleanField(required=False, initial=True, label="Open: sessions can be created")
    rehearsal = forms.BooleanField(required=False, label="Rehearsal: nothing in it counts towards baselines")

    reason = forms.CharField(
        required=False,
        label="Reason for changing limits, target, pay, consent text, thresholds or pool",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="This study has sessions: the study's page shows the change and its reason for good.",
    )

    def __init__(self, *arguments: Any, study: Study | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._study = study
        if study is None or not study.sessions.exists():
            del self.fields["reason"]
        else:
            self.fields["rehearsal"].disabled = True
            self.fields["rehearsal"].help_text = _REHEARSAL_FIXED

    def clean(self) -> dict[str, Any]:
        """A tick that was made before the first session, and comes after it, is refused and not lost."""
        ticked = self.fields["rehearsal"].disabled and "rehearsal" in self.data
        if ticked and self._study is not None and not self._study.rehearsal:
            self.add_error("rehearsal", forms.ValidationError(_REHEARSAL_FIXED, code="rehearsal_fixed"))
        return super().clean() or {}

    def settings(self) -> dict[str, Any]:
        """The cleaned values as the study's own fields, what was not touched exactly as it is."""
        values = dict(self.cleaned_data)
        for limit in _LIMITS:
            name, minutes = f"{limit}_seconds", values.pop(f"{limit}_minutes")
            kept = getattr(self._study, name) if self._study else None
            shown = kept is not None and Decimal(_minutes(kept)) == minutes
            values[name] = kept if shown else round(minutes * 60)
        values["effort"] = values["effort"] or {}
        values["consent_text"] = values["consent_text"].replace("\r\n", "\n")
        return values


@require_safe
@requires(Right.READ_BASELINES)
def studies(request: StaffRequest) -> HttpResponse:
    """Every study, newest first, with everyone who came, whatever reviewers excluded."""
    rows = Study.objects.order_by("-created_at").annotate(
        environments=Count("pool", distinct=True),
        people=Count("sessions__participant", filter=Q(sessions__checked_in_at__isnull=False), distinct=True),
    )
    may_change = request.user.may(Right.MANAGE_STUDIES)
    return render(request, "play/studies/list.html", {"studies": rows, "may_change": may_change})


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def new_study(request: StaffRequest) -> HttpResponse:
    form = StudyForm(request.POST or None)
    if form.is_valid():
        try:
            created = create_study(request.user, **form.settings())
        except Refusal as refusal:
            form.add_error(*_place(refusal))
        else:
            messages.success(request, "The study is ready. Create sessions for it under Sessions.")
            return redirect("insight:study", created.pk)
    return render(request, "play/studies/form.html", {"form": form})


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def edit_study(request: StaffRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Study, pk=pk)
    form = StudyForm(request.POST or None, initial=_initial(found), study=found)
    if form.is_valid():
        try:
            change_study(found, staff=request.user, **form.settings())
        except Refusal as refusal:
            form.add_error(*_place(refusal))
        else:
            messages.success(request, "Saved.")
            return redirect("insight:study", pk)
    under_way = found.sessions.filter(ended_at__isnull=True).count()
    context = {"form": form, "study": Study.objects.get(pk=pk), "under_way": under_way}
    return render(request, "play/studies/form.html", context)


def _initial(study: Study) -> dict[str, Any]:
    fields = ("name", "target_people", "fee", "bonus", "consent_text", "effort", "open", "rehearsal")
    minutes = {f"{limit}_minutes": _minutes(getattr(study, f"{limit}_seconds")) for limit in _LIMITS}
    return {name: getattr(study, name) for name in fields} | minutes | {"pool": study.pool.all()}


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:.1f}".removesuffix(".0")


_FIELD_OF_REFUSAL = {
    "name_taken": "name",
    "pool_empty": "pool",
    "soft_limit_after_hard": "soft_minutes",
    "target_not_positive": "target_people",
    "rehearsal_fixed": "rehearsal",
    "reason_missing": "reason",
    "reason_too_long": "reason",
    "effort_thresholds_malformed": "effort",
    "effort_threshold_unknown": "effort",
    "effort_threshold_invalid": "effort",
    "effort_thresholds_crossed": "effort",
}


def _place(refusal: Refusal) -> tuple[str | None, forms.ValidationError]:
    error = forms.ValidationError(refusal.message, code=refusal.code)
    return _FIELD_OF_REFUSAL.get(refusal.code), error
