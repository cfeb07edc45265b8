"""What the studio adds to homes: jobs that run, and those that failed lately and were not run again."""

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from playtest.jobs.models import LATELY, UNFINISHED, JobStatus
from playtest.people.manifests import Waits
from playtest.people.models import Staff
from playtest.people.roles import Right, Role
from playtest.studio.models import CardComment, Exploration, Qualification, RandomPlay, Version

_MOST = 4


class _Jobs(NamedTuple):
    """Jobs of one kind: their name, their page with what names one there, and what they are about."""

    name: str
    found: QuerySet[Any]
    page: str
    named_by: str
    about: tuple[str, ...] = ("version",)

    def failed(self) -> QuerySet[Any]:
        """Those that failed within a week on a current version, and that no later one repeats."""
        same = {name: OuterRef(name) for name in self.about}
        later = self.found.filter(**same, pk__gt=OuterRef("pk"))
        current = Q(version=F("version__environment__current"))
        lately = Q(status=JobStatus.FAILED, finished_at__gte=timezone.now() - LATELY)
        return self.found.filter(current & lately).exclude(Exists(later))


def _kinds() -> tuple[_Jobs, ...]:
    about = ("version", "level")
    graphs = Exploration.objects.defer("graph")
    return (
        _Jobs("Qualification", Qualification.objects.all(), "studio:qualification", "pk"),
        _Jobs("State graph", graphs, "studio:exploration", "pk", about),
        _Jobs("Random play of level", RandomPlay.objects.all(), "studio:random-play", "level", about),
    )


def jobs(staff: Staff | None, request: object) -> dict[str, Any]:
    """How many jobs run, wait and failed, with the newest of each kind."""
    kinds, unfinished = _kinds(), Q(status__in=UNFINISHED)

    def number(status: JobStatus) -> int:
        return sum(kind.found.filter(status=status).count() for kind in kinds)

    return {
        "request": request,
        "user": staff,
        "jobs": [
            (kind.name, named, job, reverse(kind.page, args=[job.version.environment.code, named]))
            for kind in kinds
            for job in _newest(kind.found.filter(unfinished | Q(pk__in=kind.failed().values("pk"))))
            for named in (getattr(job, kind.named_by),)
        ],
        "running": number(JobStatus.RUNNING),
        "waiting": number(JobStatus.WAITING),
        "failed": sum(kind.failed().count() for kind in kinds),
    }


def jobs_to_repeat(staff: Staff) -> Waits:
    """How many jobs failed: for an engineer all, for others those on their environments or asked for."""
    if not staff.may(Right.RUN_QUALIFICATION):
        return Waits(0, "")
    own = Q(requested_by=staff) | Q(version__environment__owner=staff)
    whose, code_of = Q() if staff.role == Role.ENGINEER else own, "version__environment__code"
    failed = [
        (code, f"{kind.name} {named}", reverse(kind.page, args=[code, named]))
        for kind in _kinds()
        for code, named in kind.failed().filter(whose).values_list(code_of, kind.named_by)
    ]
    part = failed[0][2].removeprefix(reverse("insight:portfolio")) if failed else ""
    note = ", ".join(f"{code} {what}" for code, what, _ in failed[:_MOST])
    more = f" and {len(failed) - _MOST} more" if len(failed) > _MOST else ""
    things = f"job{'' if len(failed) == 1 else 's'} failed"
    return Waits(len(failed), things, part, f"{note}{more}. Their pages say why: start them again.")


def comments_to_read(staff: Staff) -> Waits:
    """How many comments by others on one's own cards came after what one saved or wrote there last."""
    own = CardComment.objects.filter(revision__card__author=staff)
    answered = own.filter(author=staff, revision__card=OuterRef("revision__card"), pk__gt=OuterRef("pk"))
    unread = own.exclude(author=staff).filter(revision__number=F("revision__card__revision"))
    number = unread.exclude(Exists(answered)).count()
    comments = "comment on your cards waits" if number == 1 else "comments on your cards wait"
    return Waits(number, f"{comments} for an answer or a new revision")


def versions_since(_: Staff, since: datetime) -> int:
    """How many versions were imported."""
    return Version.objects.filter(imported_at__gt=since, is_draft=False).count()


def _newest(found: QuerySet[Any]) -> QuerySet[Any]:
    listed = found.select_related("version__environment").defer(
        "report", "version__source", "version__metadata"
    )
    return listed.order_by("-pk")[:_MOST]
