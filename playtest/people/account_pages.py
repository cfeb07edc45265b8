"""The lead's pages of staff accounts, and of what was changed in them."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.people import accounts, second_factor
from playtest.people.access import StaffRequest, requires
from playtest.people.models import AccountChange, Staff
from playtest.people.roles import Right, Role
from playtest.rules.errors import RuleError
from playtest.rules.text import name_order

MOST_CHANGES = 500
REVIEWERS = 3
"""Two judge a session independently, and a third settles it if they differ."""


class RoleForm(forms.Form):
    """The role of an account."""

    role = forms.ChoiceField(
        choices=[("", "Choose a role"), *Role.choices],
        help_text="An account has one role. Who has two roles has two accounts.",
    )


class AccountForm(RoleForm):
    """A new account."""

    name = forms.CharField(
        max_length=40,
        validators=[UnicodeUsernameValidator()],
        help_text="One person's: letters, digits and . - _ @ +. It stands beside what this person decides.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("name", "role")


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_ACCOUNTS)
def page(request: StaffRequest) -> HttpResponse:
    """Every account of staff: role, last sign-in, second factor; a form for a new one."""
    form = AccountForm(request.POST) if request.method == "POST" else AccountForm(initial=request.GET.dict())
    if form.is_bound and form.is_valid():
        try:
            made = accounts.create(request.user, form.cleaned_data["name"], Role(form.cleaned_data["role"]))
            return _with_link(request, made)
        except RuleError as error:
            form.add_error("name", forms.ValidationError(error.message, error.code))
    everybody = sorted(
        second_factor.with_state(Staff.objects.all()),
        key=lambda one: (not one.is_active, name_order(one.get_username())),
    )
    reviewers = sum(one.may(Right.REVIEW_EFFORT) for one in everybody)
    context = {
        "accounts": everybody,
        "active": sum(one.is_active for one in everybody),
        "form": form,
        "reviewers": reviewers,
        "needed": REVIEWERS,
    }
    return render(request, "people/accounts.html", context)


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_ACCOUNTS)
def account(request: StaffRequest, pk: int) -> HttpResponse:
    """One account of staff: its role, its state, its changes, and what a lead can do about it."""
    found = get_object_or_404(second_factor.with_state(Staff.objects.all()), pk=pk)
    form = RoleForm(initial={"role": found.role})
    if request.method == "POST":
        try:
            if request.POST.get("do") == "password":
                accounts.reset_password(request.user, pk)
                return _with_link(request, Staff.objects.get(pk=pk))
            form = RoleForm(request.POST)
            if request.POST.get("do") in _CHANGES:
                _CHANGES[request.POST["do"]](request.user, pk)
                return redirect("people:account", pk)
            if form.is_valid():
                accounts.give_role(request.user, pk, Role(form.cleaned_data["role"]))
                return redirect("people:account", pk)
        except RuleError as error:
            messages.error(request, f"{error.message} ({error.code})")
            return redirect("people:account", pk)
    context = {
        "account": found,
        "form": form,
        "own": found == request.user,
        "changes": found.changes.select_related("staff").order_by("-pk")[:MOST_CHANGES],
    }
    return render(request, "people/account.html", context)


_CHANGES: dict[str, Callable[[Staff, int], None]] = {
    "disable": accounts.disable,
    "enable": accounts.enable,
    "factor": accounts.remove_second_factor,
    "sign-out": accounts.sign_out_everywhere,
}


def _with_link(request: StaffRequest, account: Staff) -> HttpResponse:
    """The page that shows the link once: it is stored nowhere."""
    link = request.build_absolute_uri(accounts.link_of(account))
    return render(request, "people/account-link.html", {"account": account, "link": link})


@require_safe
@requires(Right.MANAGE_ACCOUNTS)
def changes(request: StaffRequest) -> HttpResponse:
    """What was changed in accounts of staff: who, when, what."""
    found = AccountChange.objects.select_related("staff", "account").order_by("-pk")
    context = {"changes": found[:MOST_CHANGES], "number": found.count(), "most": MOST_CHANGES}
    return render(request, "people/account-changes.html", context)
