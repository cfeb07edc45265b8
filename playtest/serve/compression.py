"""Compression of what pages answer; the bundles of `static/` are compressed when they are built."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")


class TextCompression(GZipMiddleware):
    """Compresses text alone: films, archives and pictures are compressed already.

    A body's length tells little about the secrets in it (BREACH): the only one, the CSRF token, is masked
    anew in each answer, and Django adds up to 100 random bytes to each compressed body.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(_TEXT):
            return response
        return super().process_response(request, response)


class Bundles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Bundles under STATIC_ROOT, each under a name with its digest, plain, as gzip and as Brotli."""

    support_js_module_import_aggregation = True  # names in imports get their digest, too

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"location": settings.ASSETS_DIR} | options)
