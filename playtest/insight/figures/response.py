"""The HTTP response with one figure."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from playtest.insight.figures import Figure
from playtest.insight.figures.page import figure_json, tag_of


def figure_response(request: HttpRequest, figure: Figure, format: str) -> HttpResponseBase:  # noqa: A002
    """The figure as "json" (for the drawing) or "csv" (a file). Http404 for any other format.

    Both have an ETag; the response is 304 to a client that has the same figure.
    """
    match format:
        case "json":
            response = HttpResponse(figure_json(figure), content_type="application/json")
        case "csv":
            response = HttpResponse(figure.as_csv(), content_type="text/csv; charset=utf-8")
            response["Content-Disposition"] = f'attachment; filename="{figure.name}.csv"'
        case _:
            raise Http404(f"Figures have the formats json and csv, not {format}.")
    tag = tag_of(figure)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=tag, response=response) or response
