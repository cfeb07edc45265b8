"""The page on which staff say that two records are of one person."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.center.interventions.services import MOST_CHARACTERS
from playtest.center.same_person.queries import links_of, repeated_attempts
from playtest.center.same_person.services import link_records, reverse_link
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Participant
from playtest.people.roles import Right
from playtest.people.same_person import other_records
from playtest.play.errors import Refusal
from playtest.rules.text import whole_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def same_person(request: StaffRequest, pk: int) -> HttpResponse:
    """The records that are of the same person as this one; links a further one or reverses a link."""
    person = get_object_or_404(Participant, pk=pk)
    error = None
    if request.method == "POST":
        try:
            messages.success(request, _change(request, person))
            return redirect("center:same-person", pk)
        except Refusal as refusal:
            error = refusal
    context = {
        "person": person,
        "others": other_records([pk])[pk],
        "links": links_of(person),
        "repeated": repeated_attempts(person),
        "sessions": person.sessions.select_related("study").order_by("-pk"),
        "error": error,
        "name": request.POST.get("name", ""),
        "reason": request.POST.get("reason", "") if "name" in request.POST else "",
        "most_characters": MOST_CHARACTERS,
    }
    return render(request, "center/same-person.html", context, status=error.status if error else 200)


def _change(request: StaffRequest, person: Participant) -> str:
    """Reverses the link that the form names, or makes a new one; says what was done."""
    reason = request.POST.get("reason", "")
    if "link" in request.POST:
        pk = whole_number(request.POST["link"])
        link = get_object_or_404(links_of(person), pk=pk)
        reverse_link(link, reason, request.user)
        return f"{link.one} and {link.other} are two people again."
    link = link_records(person, request.POST.get("name", ""), reason, request.user)
    return f"{link.one} and {link.other} are one person from now on."
