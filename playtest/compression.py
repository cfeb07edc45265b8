"""Compression of what pages answer. What `static/` holds is compressed when it is built."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

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
