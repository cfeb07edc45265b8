"""The plan of a study: its form, how precise it will be and what it takes, and the page."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import polars as pl
from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.study.results import StudyResults, results_of, study_results
from playtest.insight.scope import Scope
from playtest.insight.tables.results import IS_CUT_SHORT, completions
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.play.models.study import held_here
from playtest.rules.errors import RuleError
from playtest.rules.inference.clusters import alike
from playtest.rules.pay import amount_text
from playtest.rules.planning.estimates import environment_spread, spread_of
from playtest.rules.planning.plan import BOUNDS, MOST_LEVELS, Assumptions, plan
from playtest.rules.planning.precision import MOST
from playtest.rules.text import whole_number
from playtest.studio.models import Environment

UNKNOWN: dict[str, float] = {
    "environments": 25,
    "a_session": 9,
    "sessions_each": 1,
    "spread": 1.6,
    "success": 50,
    "environment_spread": 20,
    "counting": 90,
    "correlation": 10,
    "runs": 3,
    "difference_spread": 20,
    "power": 80,
    "reach": 50,
    "half": 20,
    "difference": 25,
}
"""What a plan begins with where nothing was measured; shares in percent. Report 5.1 has the session."""
_COMPLETING = "95, 90, 80, 70, 60, 50"


@dataclass(frozen=True)
class Measured:
    """What a study tells of the next one; None or () where it has too few results. Shares are 0..1."""

    spread: float | None
    completing: tuple[float, ...]
    success: float | None
    environment_spread: float | None
    counting: float | None
    correlation: float | None


def measured(results: StudyResults) -> Measured:
    """Of counted attempts that are not excluded, also in part; `spread` of all completed levels.

    `counting` is their share of everything that was begun and ended, also of what is excluded.
    """
    whole, begun = results.counted.filter("whole"), results.ever_begun.filter(pl.col("outcome") != "")
    judged = whole.filter(~IS_CUT_SHORT)
    reached = results_of(judged)
    found = alike(reached)
    counts = (
        completions(results.begun, results.scope)
        .group_by("version", "level")
        .agg("actions")["actions"]
        .to_list()
    )
    return Measured(
        spread=spread_of(counts),
        completing=_completing(judged),
        success=_mean(judged["solved"]),
        environment_spread=environment_spread(reached),
        counting=judged.height / begun.height if begun.height else None,
        correlation=found.correlation if found else None,
    )


def _completing(attempts: pl.DataFrame) -> tuple[float, ...]:
    """By level, the share who completed it of all who played an environment with so many levels."""
    most = attempts["levels"].max()
    if not isinstance(most, int):
        return ()
    found = []
    for level in range(1, min(most, MOST_LEVELS) + 1):
        with_level = attempts.filter(pl.col("levels") >= level)
        found.append(_mean(with_level["levels_completed"] >= level) or 0.0)
    return tuple(found)


def _mean(values: pl.Series) -> float | None:
    mean = values.mean()
    return float(mean) if isinstance(mean, int | float) else None


def beginnings(study: Study, earlier: Measured | None) -> dict[str, str]:
    """What the form begins with, as text: of the study, then of the earlier one, then UNKNOWN."""
    found = {name: f"{value:g}" for name, value in UNKNOWN.items()}
    found |= {"completing": _COMPLETING, "people": str(study.protocol.acceptance.people)}
    if pool := study.pool.count():
        found["environments"] = str(pool)
    if earlier is None:
        return found
    if earlier.spread is not None:
        found["spread"] = f"{earlier.spread:.2f}"
    if earlier.completing:
        found["completing"] = ", ".join(_percent(one) for one in earlier.completing)
    for name in ("success", "environment_spread", "counting", "correlation"):
        value = getattr(earlier, name)
        if value is not None:
            found[name] = _percent(value)
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.3g}"


PERCENT = {
    "success", "environment_spread", "counting", "correlation", "difference_spread", "power", "reach", "half",
    "difference",
}  # fmt: skip
"""Fields in percent; in the rules they are shares of 1."""


def _whole(name: str, label: str, help_text: str = "") -> forms.IntegerField:
    low, high = BOUNDS[name]
    return forms.IntegerField(min_value=int(low), max_value=int(high), label=label, help_text=help_text)


def _number(name: str, label: str, help_text: str = "") -> forms.FloatField:
    scale = 100 if name in PERCENT else 1
    low, high = (scale * bound for bound in BOUNDS[name])
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(min_value=low, max_value=high, label=label, help_text=help_text, widget=widget)


class PlanForm(forms.Form):
    """Raises nothing: errors are at their fields, with codes."""

    environments = _whole("environments", "Environments")
    people = _whole("people", "People on each environment", "Whose attempts count.")
    a_session = _whole("a_session", "Environments a session")
    sessions_each = _whole("sessions_each", "Sessions of one person")
    counting = _number(
        "counting",
        "Attempts that count, %",
        "Neither too short, excluded nor cut short.",
    )
    spread = _number(
        "spread",
        "Spread of actions, a factor",
        "Two thirds of people need the median actions divided by this, up to multiplied by it.",
    )
    completing = forms.CharField(
        max_length=200,
        label="People who complete each level, %",
        help_text="From the first level to the last, with commas between them.",
    )
    success = _number("success", "Success of people, %", "Attempts that solve their environment.")
    environment_spread = _number(
        "environment_spread",
        "Spread of success, percentage points",
        "Standard deviation over environments of the share of people who solve each.",
    )
    correlation = _number(
        "correlation", "Correlation of one person's results, %", "0 if who solves one is no better at others."
    )
    runs = _whole("runs", "Runs of the agent on each environment")
    difference_spread = _number(
        "difference_spread",
        "Spread of differences, percentage points",
        "Standard deviation over environments of the true difference between agent and people.",
    )
    reach = _number("reach", "Baselines within, ± %", "No end of an interval farther from the baseline.")
    half = _number("half", "Success of an environment within, ± percentage points")
    difference = _number("difference", "Difference to an agent, percentage points")
    power = _number("power", "Power, %", "The chance to find that difference.")

    def clean_completing(self) -> tuple[float, ...]:
        """The shares (0..1) by level."""
        try:
            found = tuple(float(part) / 100 for part in self.cleaned_data["completing"].split(","))
        except ValueError:
            found = ()
        if not 1 <= len(found) <= MOST_LEVELS or not all(0 <= one <= 1 for one in found):
            message = f"Give 1 to {MOST_LEVELS} percentages with commas between them, such as 95, 80, 60."
            raise forms.ValidationError(message, code="plan_levels_unusable")
        return found

    def assumptions(self, study: Study) -> Assumptions:
        """Of a valid form, with pay and length of a session of the study's protocol. Raises RuleError."""
        values: dict[str, Any] = {
            name: value / 100 if name in PERCENT else value for name, value in self.cleaned_data.items()
        }
        protocol = study.protocol
        return Assumptions(**values, pay=protocol.pay, session_seconds=protocol.limits.session_seconds)

    @property
    def first_error(self) -> RuleError:
        """Of an invalid form: its first error, which names its field."""
        (name, errors), *_ = self.errors.as_data().items()
        message = f"{self.fields[name].label}: {errors[0].messages[0]}"
        return RuleError(str(errors[0].code or "invalid"), message)


@require_safe
@requires(Right.READ_BASELINES)
def planning(request: StaffRequest, pk: int) -> HttpResponse:
    """The plan for what the address assumes."""
    study = get_object_or_404(Study, pk=pk)
    earlier, form = _read(request, study)
    context: dict[str, Any] = {
        "study": study,
        "form": form,
        "earlier": earlier,
        "studies": _earlier_studies(study),
        "most": MOST,
        "tasks": Environment.objects.tasks().filter(studies=study).count(),
    }
    if form.is_valid():
        made = plan(form.assumptions(study))
        context |= {
            "plan": made,
            "levels": list(zip(made.forecast.levels, made.needed.levels, strict=True)),
            "cost": amount_text(made.forecast.recruiting.cost, study.currency),
            "query": _query(form),
        }
    return render(request, "insight/evidence/planning.html", context)


def _read(request: StaffRequest, study: Study) -> tuple[Study | None, PlanForm]:
    """The earlier study of the address, and the form: what the address does not say is assumed."""
    earlier = _earlier(study, request.GET.get("earlier", ""))
    found = None
    if earlier is not None:
        scope = Scope(earlier)
        bring_up_to_date(scope.whole.attempts)
        found = measured(study_results(scope))
    return earlier, PlanForm({**beginnings(study, found), **request.GET.dict()})


def _earlier(study: Study, chosen: str) -> Study | None:
    """Http404 for one that cannot be chosen."""
    if not chosen:
        return None
    number = whole_number(chosen)
    found = None if number is None else _earlier_studies(study).filter(pk=number).first()
    if found is None:
        raise Http404(f"There is no earlier study {chosen!r} to take numbers from.")
    return found


def _earlier_studies(study: Study) -> QuerySet[Study]:
    """Those in which anything was played, the newest first; a rehearsal only for rehearsals."""
    played = Study.objects.filter(sessions__attempts__first_frame_at__isnull=False).distinct()
    return (played if study.rehearsal else played.filter(held_here())).order_by("-pk")


def _query(form: PlanForm) -> str:
    return urlencode({name: form[name].value() for name in form.fields})
