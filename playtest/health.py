"""`/healthz`: whether this process can serve a participant."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playtest.play import journal


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when migrations are applied and the journal can be written, else 503 with a coded reason."""
    code = _problem()
    if code is None:
        return JsonResponse({"status": "ok"})
    return JsonResponse({"status": "unavailable", "code": code, "message": _MESSAGES[code]}, status=503)


_MESSAGES = {
    "database_unreachable": "The database cannot be reached. Check DATABASE_URL, or DATA_DIR and its disk.",
    "migrations_missing": "The database is older than the program. Run: manage.py prepare",
    "journal_unwritable": "The journal cannot be written. Check the database's disk and rights.",
}


def _problem() -> str | None:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "migrations_missing"
    except DatabaseError:
        return "database_unreachable"
    return None if journal.can_write() else "journal_unwritable"
