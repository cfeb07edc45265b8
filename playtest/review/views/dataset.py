"""The page on which a study's data is requested."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.review import codebook
from playtest.review.models import ExportKind
from playtest.review.services.dataset import KINDS
from playtest.review.services.exports import request_dataset
from playtest.review.tasks.exports import make_export
from playtest.rules.text import whole_number


class DataForm(forms.Form):
    """The study and the format of its data."""

    study = forms.ModelChoiceField(Study.objects.order_by("name"), empty_label=None)
    kind = forms.ChoiceField(label="Files", choices=[(kind.value, kind.label) for kind in KINDS])
    identified = forms.BooleanField(
        label="Include pseudonyms, recruiter's references, reviewers and their texts",
        required=False,
        help_text="Recorded with your name.",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.TAKE_DATA)
def data(request: StaffRequest) -> HttpResponse:
    """Describes the data of a study, with a form to request it; `?study=` chooses it."""
    chosen = whole_number(request.GET.get("study", ""))
    form = DataForm(request.POST if request.method == "POST" else None, initial={"study": chosen})
    if not request.user.may(Right.TAKE_IDENTIFIED):
        del form.fields["identified"]
    if request.method == "POST" and form.is_valid():
        given, queue = form.cleaned_data, Queue(make_export)
        try:
            request_dataset(
                given["study"],
                ExportKind(given["kind"]),
                request.user,
                queue,
                identified=bool(request.POST.get("identified")),
            )
            warn_if_unreachable(request, queue)
            return redirect("review:exports")
        except Refusal as refusal:
            form.add_error(None, forms.ValidationError(refusal.message, code=refusal.code))
    context = {"form": form, "tables": codebook.TABLES, "studies": Study.objects.exists()}
    return render(request, "review/dataset.html", context)
