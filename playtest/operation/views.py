"""The status page."""

import platform

import django
from django.db import connection
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.operation.installation import faults_of_today, sentences, status
from playtest.operation.release import version
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right


@require_safe
@requires(Right.OPERATE)
def operation(request: StaffRequest) -> HttpResponse:
    """What runs since when, what waits, the last backup and audit, the disk, and the faults of today."""
    found = status()
    context = {
        "status": found,
        "processes": [(one, one.silent_for(found.at)) for one in found.processes],
        "attention": sentences(found),
        "jobs": [(kind, state, count) for (kind, state), count in found.jobs.items() if count],
        "faults": faults_of_today(),
        "versions": {
            "Playtest": version(),
            "Python": platform.python_version(),
            "Django": django.get_version(),
            connection.display_name: ".".join(map(str, connection.get_database_version())),
            "System": f"{platform.system()} {platform.release()}",
        },
    }
    return render(request, "operation/status.html", context)
