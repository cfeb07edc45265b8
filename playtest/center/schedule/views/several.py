"""Creates many sessions at once, and shows or prints their codes once."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.center import form_tokens
from playtest.center.schedule.cards_pdf import cards_pdf
from playtest.center.schedule.forms import SeveralForm
from playtest.center.schedule.services.cards import Card
from playtest.center.schedule.services.several import create_sessions
from playtest.center.schedule.times import local, zone
from playtest.center.schedule.views.slots import pdf
from playtest.center.spelling import spell
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.rules.codes import display


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def several(request: StaffRequest) -> HttpResponse:
    """Sessions for new people without references. A form that is sent twice creates them once."""
    if form_tokens.earlier_result(request):
        messages.warning(request, "These sessions were created already; codes are shown only once.")
        return redirect("center:sessions")
    form = SeveralForm(request.POST or None)
    if form.is_valid():
        try:
            made = create_sessions(form.cleaned_data["study"], form.cleaned_data["number"], request.user)
        except Refusal as refusal:
            form.refuse(refusal.code, refusal.message)
        else:
            form_tokens.store_result(request, made[0][0].pk)
            return _codes(request, made)
    context = {
        "form": form,
        "studies": Study.objects.filter(open=True).exists(),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/schedule/several.html", context)


def _codes(request: StaffRequest, made: list[tuple[Session, str]]) -> HttpResponse:
    expires = local(made[0][0].code_expires_at or made[0][0].created_at)
    until = f"Valid until {expires.day} {expires:%B %Y, %H:%M}"
    if "cards" in request.POST:
        cards = [Card(session.participant.label, code) for session, code in made]
        return pdf(cards_pdf(cards, until, ""), "cards.pdf")
    rows = [(session, display(code), spell(code)) for session, code in made]
    return render(request, "center/schedule/codes.html", {"rows": rows, "until": until, "zone": zone().key})
