"""The page that plans a study: how precise it will be, what it takes, and the other way round."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.insight.evidence.planning import beginnings, measured
from playtest.insight.evidence.planning_form import PlanForm
from playtest.insight.scope import Scope
from playtest.insight.services.results import bring_up_to_date
from playtest.insight.study.results import study_results
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.play.sessions.page_content import currency
from playtest.rules.kinds import Kind
from playtest.rules.pay import amount_text
from playtest.rules.planning import Forecast, Plan, forecast, plan
from playtest.rules.planning.search import MOST
from playtest.rules.text import whole_number

_OTHER_PEOPLE = (5, 10, 15, 20, 30, 50, 100)


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
        "tasks": study.pool.filter(kind=Kind.TASK).count(),
    }
    if form.is_valid():
        made = plan(form.assumptions(study))
        context |= {
            "plan": made,
            "levels": list(zip(made.forecast.levels, made.needed.levels, strict=True)),
            "cost": _cost(made.forecast),
            "others": [(one, _cost(one)) for one in _others(made)],
            "query": _query(form),
        }
    return render(request, "insight/evidence/planning.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def planning_file(request: StaffRequest, pk: int) -> JsonResponse:
    """The same numbers as JSON, or 400 with code and message."""
    study = get_object_or_404(Study, pk=pk)
    _, form = _read(request, study)
    if not form.is_valid():
        error = form.first_error
        return JsonResponse({"code": error.code, "message": error.message}, status=400)
    made = plan(form.assumptions(study))
    others = [{"people": one.people, "forecast": one.document} for one in _others(made)]
    document = {"currency": currency(), **made.document, "other_numbers_of_people": others}
    return JsonResponse(document)


def _read(request: StaffRequest, study: Study) -> tuple[Study | None, PlanForm]:
    """The earlier study of the address, and the form: what the address does not say is assumed."""
    earlier = _earlier(study, request.GET.get("earlier", ""))
    found = None
    if earlier is not None:
        scope = Scope(earlier)
        bring_up_to_date(scope.attempts)
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
    return (played if study.rehearsal else played.filter(rehearsal=False)).order_by("-pk")


def _others(made: Plan) -> list[Forecast]:
    """The forecasts for other numbers of people, with the plan's own and those that are needed."""
    needed = (made.needed.baselines, made.needed.success, made.needed.difference)
    numbers = {*_OTHER_PEOPLE, made.assumptions.people, *(one for one in needed if one is not None)}
    return [forecast(made.assumptions, people) for people in sorted(numbers)]


def _cost(found: Forecast) -> str:
    return amount_text(found.recruiting.cost, currency())


def _query(form: PlanForm) -> str:
    return urlencode({name: form[name].value() for name in form.fields})
