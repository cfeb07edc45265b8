"""The status page, and the page that says what to do."""

import platform

import django
from django.db import connection
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.operation.alarms import all_alarms
from playtest.operation.installation import faults_of_today, status
from playtest.operation.trouble import lately, remember
from playtest.people.access import StaffRequest, requires
from playtest.people.release import version
from playtest.people.roles import Right


@require_safe
@requires(Right.OPERATE)
def operation(request: StaffRequest) -> HttpResponse:
    """What runs since when, what waits, the last backup and audit, the disk, and the faults of today."""
    found = status()
    context = {
        "status": found,
        "processes": [(one, one.silent_for(found.at)) for one in found.processes],
        "attention": remember(found),
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


@require_safe
@requires(Right.OPERATE)
def alarms(request: StaffRequest) -> HttpResponse:
    """What each alarm means and what to do about it; those of the present first."""
    present = {one.code for one in lately()}
    found = sorted(all_alarms(), key=lambda one: one.code not in present)
    return render(request, "operation/alarms.html", {"alarms": found, "present": present})
