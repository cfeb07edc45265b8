"""Read tokens, the tables that scripts read with them, and how to open files."""

import json
import zipfile

from django import forms
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import form_tokens
from playtest.jobs.queue import Queue
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.rate_limits import client_address
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Audience, Right
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.review import codebook
from playtest.review.models import ReadToken
from playtest.review.services.dataset import FACTS, ORIGIN
from playtest.review.services.export_files import folder
from playtest.review.services.read_tokens import MOST_DAYS, create_token, fresh_export, revoke_token, token_of
from playtest.review.services.table_files import FORMATS
from playtest.review.tasks.exports import make_export
from playtest.review.views.exports import pieces_of

ANALYSING = settings.BASE_DIR / "docs" / "analysing.md"
_RETRY_SECONDS = {"too_many_requests": 60, "data_in_preparation": 5}
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


class TokenForm(forms.Form):
    """A new token."""

    study = forms.ModelChoiceField(Study.objects.order_by("name"), empty_label=None)
    name = forms.CharField(max_length=100, help_text="What it is for, such as a script and its owner.")
    days = forms.IntegerField(label="Days until it expires", min_value=1, max_value=MOST_DAYS, initial=90)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.TAKE_DATA)
def read_tokens(request: StaffRequest) -> HttpResponse:
    """Every read token; POST makes one and shows its secret, once."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    made, secret = None, ""
    if request.method == "POST" and form_tokens.earlier_result(request) is None and form.is_valid():
        with refusal_in(form):
            made, secret = create_token(**form.cleaned_data, staff=request.user)
            form_tokens.store_result(request, made.pk)
            form = TokenForm()
    context = {
        "form": form,
        "made": made,
        "secret": secret,
        "example": made and request.build_absolute_uri(f"/api/data/{made.study_id}/attempts.csv"),
        "tokens": ReadToken.objects.select_related("study", "created_by", "revoked_by").order_by("-pk"),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "review/read-tokens.html", context)


@require_POST
@requires(Right.TAKE_DATA)
def revoke(request: StaffRequest, pk: int) -> HttpResponse:
    """Makes a read token invalid for good."""
    token = get_object_or_404(ReadToken, pk=pk)
    with refusal_told(request, f"The token {token.name} is revoked."):
        revoke_token(token, request.user)
    return redirect("review:read-tokens")


@require_safe
@requires(Right.TAKE_DATA)
def opening(request: StaffRequest) -> HttpResponse:
    """How to open the files in Excel, pandas, R and polars (docs/analysing.md)."""
    return render(request, "people/handbook.html", {"text": ANALYSING.read_text(), "title": "Opening data"})


@require_safe
@declares(Audience.TOKEN)
def data_table(request: HttpRequest, pk: int, name: str, form: str) -> HttpResponseBase:
    """One table of a study as CSV or Parquet, at most 15 minutes old."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    try:
        token = token_of(secret.strip() if kind.lower() == "bearer" else "", pk, client_address(request))
        if name not in {table.name for table in codebook.TABLES} or form not in FORMATS:
            raise Refusal("table_unknown", "There is no such table: see the codebook.", status=404)
        export = fresh_export(token, form, Queue(make_export))
    except Refusal as refusal:
        said = JsonResponse({"error": refusal.code, "message": refusal.message}, status=refusal.status)
        if refusal.code in _RETRY_SECONDS:
            said["Retry-After"] = str(_RETRY_SECONDS[refusal.code])
        if refusal.status == 401:
            said["WWW-Authenticate"] = "Bearer"
        return said
    assert export.started_at is not None, "it is done"
    etag, moment = f'"{export.digest[:32]}-{name}-{form}"', int(export.started_at.timestamp())
    unchanged = get_conditional_response(request, etag=etag, last_modified=moment)
    response = unchanged or _member(request, export.file, f"{name}.{form}")
    response["ETag"], response["Last-Modified"] = etag, http_date(moment)
    response["Cache-Control"] = "private, no-cache"
    return response


def _member(request: HttpRequest, file: str, name: str) -> HttpResponseBase:
    """A file within a ZIP file, as it is unpacked; the end of the response closes both.

    Headers say what the tables say of themselves, as the CSV of figures does in columns.
    """
    with zipfile.ZipFile(folder() / file) as packed:
        member, size = packed.open(name), packed.getinfo(name).file_size
        facts = json.loads(packed.read(FACTS))
        origin = packed.read(ORIGIN).decode().split() if ORIGIN in packed.namelist() else ()
    response = (
        StreamingHttpResponse(pieces_of(member)) if isinstance(request, ASGIRequest) else FileResponse(member)
    )
    response["X-Of-Actions"] = facts.get("of_actions", "")
    if origin:
        response["X-Origin"] = " ".join(origin)
    response["Content-Type"] = _TYPES[name.rpartition(".")[2]]
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
