"""A figure over HTTP: what the figures endpoint of every page answers."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from playtest.insight.figures import Figure
from playtest.insight.figures.page import figure_json, tag_of


def figure_response(request: HttpRequest, figure: Figure, format: str) -> HttpResponseBase:  # noqa: A002
    """`format` "json" (for the drawing in the page) or "csv" (a file). Http404 for any other.

    Both carry an ETag, and answer 304 to whoever has this very figure already.
    """
    match format:
        case "json":
            response = HttpResponse(figure_json(figure), content_type="application/json")
        case "csv":
            response = HttpResponse(figure.as_csv(), content_type="text/csv; charset=utf-8")
            response["Content-Disposition"] = f'attachment; filename="{figure.name}.csv"'
        case _:
            raise Http404(f"A figure is offered as json and csv, not as {format}.")
    tag = tag_of(figure)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=tag, response=response) or response
