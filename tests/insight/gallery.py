"""A page of sample figures and of extreme ones, made by the product's template tag, for browser tests."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import engines
from django.urls import path

from playtest.insight.figures import Figure, Row, figure_response
from playtest.insight.tables.protocols import Protocols
from playtest.urls import urlpatterns as product
from tests.insight.samples import (
    bars,
    figure,
    funnel,
    label,
    plain,
    progression,
    replay,
    scatter,
    states,
    strip,
)

PAGE = """{% extends "staff.html" %}{% load figures %}
{% block title %}Gallery{% endblock %}{% block head %}{% figure_assets %}{% endblock %}
{% block content %}<h1>Figures</h1>
{% for figure, base in figures %}{% figure figure base query live=live %}{% endfor %}
{% for state, base in states %}{% figure state base %}{% endfor %}
{% endblock %}"""


def extremes() -> Iterator[Figure]:
    """Figures with one row, no row, thousands, equal values, zero, null and very long labels."""
    long = "The environment whose label somebody made much too long for any chart " * 3
    yield figure("funnel", "level outcome people href", [(1, "open", 1, None)], name="funnel-one")
    yield figure("funnel", "level outcome people href", [], name="funnel-none")
    yield Figure(**{**vars(funnel(8, 3000)), "name": "funnel-many"})
    yield figure(
        "incidence",
        "curve x share low high at_risk censored",
        [(long, 0, 1.0, None, None, 1, 1)],
        name="incidence-one",
    )
    yield figure("strip", "group value label href", [(1, 7, label(1), replay(1))], name="strip-one")
    yield figure(
        "strip",
        "group value label href",
        [(1, 40, label(index), replay(index)) for index in range(3000)],
        name="strip-equal",
    )
    yield figure(
        "strip",
        "group value label href",
        [(long, None, long, None), (long, 0, long, None)],
        name="strip-null",
    )
    yield Figure(**{**vars(strip(7, 40)), "name": "strip-many"})
    yield Figure(**{**vars(progression(80)), "name": "progression-many"})
    yield figure("progression", "series x y label href", [(long, 0, 0, long, None)], name="progression-one")
    yield Figure(**{**vars(scatter(500)), "name": "scatter-many"})
    yield figure(
        "scatter",
        "x y label group href",
        [(5, 5, label(index), None, replay(index)) for index in range(40)],
        name="scatter-equal",
    )
    close: list[Row] = [
        (0.5 + index / 8, 0.0905 + index / 500, label(index), None, None) for index in range(10)
    ]
    yield figure("scatter", "x y label group href", close, name="scatter-close")
    yield figure(
        "scatter",
        "x y label group href",
        [(10**index, index, label(index), None, None) for index in range(-1, 3)],
        name="scatter-log",
        x_log=True,
    )
    yield figure(
        "strip", "group value label href", [(1, x, label(0), None) for x, *_ in close], name="strip-close"
    )
    yield figure(
        "bars",
        "label value low high href",
        [(long, 0, None, None, None), ("none", None, None, None, None)],
        name="bars-zero",
    )
    yield Figure(**{**vars(bars(100)), "name": "bars-many"})
    yield figure("histogram", "low high people group href", [(0, 10, 0, None, None)], name="histogram-zero")
    yield figure(
        "histogram",
        "low high people",
        [(5, 10, 3)],
        name="histogram-one",
        line={"name": "beyond", "value": 12},
    )
    yield figure("heatmap", "x y value", [(0, 0, 0), (63, 63, 1), (5, 5, None)], name="heat-few")


def figures(names: str) -> list[Figure]:
    found = [*plain(), *extremes()]
    return [one for one in found if one.name in names.split(",")] if names else found


def address(one: Figure) -> str:
    return f"/gallery/figures/{one.name}"


def page(request: HttpRequest) -> HttpResponse:
    context = {
        "figures": [(one, address(one)) for one in figures(request.GET.get("figures", ""))],
        "states": [(one, address(one)) for one in states()] if "states" in request.GET else [],
        "query": "",
        "live": "live" in request.GET,
    }
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


def one(request: HttpRequest, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    return figure_response(request, figures(name)[0], format, Protocols())


urlpatterns = [*product, path("gallery/", page), path("gallery/figures/<str:name>.<str:format>", one)]
