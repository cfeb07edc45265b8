"""One's own account: password, second factor, and the end of all sessions."""

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp import login as note_device

from playtest.people import accounts, second_factor
from playtest.people.access import StaffRequest, of_own_account
from playtest.people.models import AccountChange, Staff
from playtest.people.rate_limits import allow
from playtest.people.sign_in import WRONG_CODE, CodeForm

TRIES, WINDOW_SECONDS = 8, 15 * 60


class PasswordForm(forms.Form):
    """The own password once more, for what a borrowed browser must not do."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@of_own_account
def page(request: StaffRequest) -> HttpResponse:
    """Your account: its role, its changes, a new password, the end of all its sessions."""
    if request.POST.get("do") == "sign-out":
        return _sign_out_everywhere(request)
    form = PasswordChangeForm(request.user, request.POST or None)
    if request.method == "POST":
        if not _may_try(request):
            return _locked(request)
        if form.is_valid():
            with transaction.atomic():
                # The row is saved as a whole, and a lead may change it meanwhile.
                form.user = Staff.objects.select_for_update(no_key=True).get(pk=request.user.pk)
                staff = form.save()
                accounts.record(staff, staff, AccountChange.Kind.PASSWORD)
            update_session_auth_hash(request, staff)  # the other sessions end
            messages.success(request, "Your password is changed. You are signed out in every other browser.")
            return redirect("people:own-account")
    context = {
        "form": form,
        "device": second_factor.device_of(request.user),
        "changes": request.user.changes.select_related("staff").order_by("-pk")[:20],
    }
    return render(request, "people/own-account.html", context)


def _sign_out_everywhere(request: StaffRequest) -> HttpResponse:
    accounts.sign_out_own(request.user)
    logout(request)
    messages.success(request, "You are signed out everywhere.")
    return redirect("people:sign-in")


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@of_own_account
def factor(request: StaffRequest) -> HttpResponse:
    """Your second factor: set it up, see the recovery codes once, replace it."""
    match request.POST.get("do") if request.method == "POST" else None:
        case "begin":
            second_factor.begin(request.user)
            return redirect("people:second-factor")
        case "confirm":
            return _confirm(request)
        case "replace":
            return _replace(request)
        case _:
            return _show(request)


def _confirm(request: StaffRequest) -> HttpResponse:
    form = CodeForm(request.POST)
    if form.is_valid():
        staff = request.user
        if codes := accounts.set_up_second_factor(staff, form.cleaned_data["code"]):
            device = staff.otp_device
            update_session_auth_hash(request, staff)
            note_device(request, device)
            return render(request, "people/recovery-codes.html", {"codes": codes})
        form.add_error("code", forms.ValidationError(WRONG_CODE, "code_wrong"))
    return _show(request, code_form=form)


def _replace(request: StaffRequest) -> HttpResponse:
    if not _may_try(request):
        return _locked(request)
    form = PasswordForm(request.POST)
    if form.is_valid():
        if request.user.check_password(form.cleaned_data["password"]):
            accounts.replace_second_factor(request.user)
            request.session.pop(DEVICE_ID_SESSION_KEY, None)
            update_session_auth_hash(request, request.user)
            return redirect("people:second-factor")
        form.add_error("password", forms.ValidationError("This is not your password.", "password_wrong"))
    return _show(request, password_form=form)


def _show(
    request: StaffRequest, code_form: CodeForm | None = None, password_form: PasswordForm | None = None
) -> HttpResponse:
    device = second_factor.device_of(request.user)
    pending = None if device else second_factor.device_of(request.user, confirmed=False)
    context = {
        "device": device,
        "pending": pending,
        "qr": pending and second_factor.picture_of(pending),
        "secret": pending and second_factor.secret_of(pending),
        "code_form": code_form or CodeForm(),
        "password_form": password_form or PasswordForm(),
        "left": second_factor.recovery_codes_left(request.user),
        "missing": second_factor.is_missing(request.user, request.session),
    }
    return render(request, "people/second-factor.html", context)


def _may_try(request: StaffRequest) -> bool:
    return allow(f"own-password:{request.user.pk}", TRIES, WINDOW_SECONDS)


def _locked(request: StaffRequest) -> HttpResponse:
    return render(request, "people/locked.html", status=HTTPStatus.TOO_MANY_REQUESTS)
