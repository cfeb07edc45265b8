"""The HTTP response with one figure."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from playtest.insight.figures import Figure
from playtest.insight.figures.page import figure_json, tag_of
from playtest.insight.results.protocols import Protocols


def figure_response(
    request: HttpRequest,
    figure: Figure,
    format: str,  # noqa: A002
    protocols: Protocols,
) -> HttpResponseBase:
    """The figure as "json" (for the drawing) or "csv" (a file). Http404 for any other format.

    The JSON has the versions of protocols, and a sentence if they are combined. The CSV is the table alone:
    its versions are in the header X-Protocol-Versions, as `Protocols.names`. Both have an ETag; the response
    is 304 to a client that has the same figure.
    """
    match format:
        case "json":
            response = HttpResponse(figure_json(figure, protocols), content_type="application/json")
        case "csv":
            response = HttpResponse(figure.as_csv(), content_type="text/csv; charset=utf-8")
            response["Content-Disposition"] = f'attachment; filename="{figure.name}.csv"'
            response["X-Protocol-Versions"] = protocols.names
        case _:
            raise Http404(f"Figures have the formats json and csv, not {format}.")
    tag = tag_of(figure, protocols)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=tag, response=response) or response
