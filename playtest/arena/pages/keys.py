"""The engineer's pages of API keys, and the parts of a key's environments, drawn from a card's page."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import ApiKey, Play
from playtest.arena.pages.cards import base_url, card_or_404
from playtest.arena.runs import keys as key_use
from playtest.arena.runs.sums import summarise, usage_of
from playtest.arena.runs.usage import NO_USAGE, Usage
from playtest.arena.scores import holdouts
from playtest.center import form_tokens
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.rules.text import counted
from playtest.studio.models import Environment, ReleaseSet
from playtest.studio.services.catalogue import fill_set

MOST_DAYS = 31
"""How many days with requests the page of a key lists."""


class ChangeForm(forms.Form):
    """What can be changed of a key."""

    sets = forms.MultipleChoiceField(
        label="Sets that it may play",
        choices=[(one.value, one.label) for one in key_use.SETS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one set."},
    )
    per_minute = forms.IntegerField(
        label="Limit, requests a minute", min_value=1, max_value=key_use.MOST_PER_MINUTE
    )


class KeyForm(ChangeForm):
    """A new key."""

    name = forms.CharField(
        max_length=key_use.LONGEST_NAME, help_text="Whose key it is, such as a laboratory and its agent."
    )
    field_order = ("name", "sets", "per_minute")


@require_safe
@requires(Right.MANAGE_KEYS)
def keys(request: StaffRequest) -> HttpResponse:
    """Every API key: its sets, its limit, and what it was used for."""
    return _list(request, KeyForm(initial={"sets": [ReleaseSet.PUBLIC], "per_minute": key_use.PER_MINUTE}))


@never_cache
@require_POST
@requires(Right.MANAGE_KEYS)
def create(request: StaffRequest) -> HttpResponse:
    """Creates an API key and shows it, once."""
    if made_before := form_tokens.earlier_result(request):
        return redirect("arena:key", made_before)
    form = KeyForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            made, secret = key_use.create_key(**form.cleaned_data, staff=request.user)
            form_tokens.store_result(request, made.pk)
            context = {"key": made, "secret": secret, "base_url": base_url(request)}
            return render(request, "arena/keys/created.html", context)
    return _list(request, form)


class SetForm(forms.Form):
    """Environments in no set, and the set that agents are to find them in."""

    environments = forms.ModelMultipleChoiceField(
        Environment.objects.filter(release_set=ReleaseSet.NONE, current__isnull=False).order_by("code"),
        label="In no set, so that no agent can play them",
        to_field_name="code",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one environment."},
    )
    release_set = forms.ChoiceField(
        label="Put into", choices=[(one.value, one.label) for one in key_use.SETS]
    )


@require_POST
@requires(Right.MANAGE_KEYS)
def fill(request: StaffRequest) -> HttpResponse:
    """Puts environments that are in no set into one."""
    form = SetForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose environments that are in no set, and a set. (sets_unknown)")
        return redirect("arena:keys")
    chosen = form.cleaned_data["release_set"]
    count = fill_set((one.code for one in form.cleaned_data["environments"]), chosen)
    messages.success(request, f"Now in the set {ReleaseSet(chosen).label}: {counted(count, 'environment')}.")
    return redirect("arena:keys")


@require_safe
@requires(Right.MANAGE_KEYS)
def key(request: StaffRequest, pk: int) -> HttpResponse:
    """One API key: its cards, the environments that it saw, its actions."""
    found = _key(pk)
    return _detail(request, found, ChangeForm(initial={"sets": found.sets, "per_minute": found.per_minute}))


@require_POST
@requires(Right.MANAGE_KEYS)
def change(request: StaffRequest, pk: int) -> HttpResponse:
    """Changes the sets and the limit of an API key."""
    found, form = _key(pk), ChangeForm(request.POST)
    if not form.is_valid():
        return _detail(request, found, form)
    with refusal_told(request, "Stored."):
        key_use.change_key(found, **form.cleaned_data, staff=request.user)
    return redirect("arena:key", pk)


@require_POST
@requires(Right.MANAGE_KEYS)
def revoke(request: StaffRequest, pk: int) -> HttpResponse:
    """Makes an API key invalid for good."""
    found = _key(pk)
    with refusal_told(request):
        key_use.revoke_key(found, request.user)
        messages.success(request, f"{found} is revoked.")
    return redirect("arena:key", pk)


def _key(pk: int) -> ApiKey:
    return get_object_or_404(ApiKey.objects.select_related("created_by", "revoked_by"), pk=pk)


def _list(request: StaffRequest, form: KeyForm) -> HttpResponse:
    uses = key_use.uses()
    in_use = sum(one.key.revoked_at is None for one in uses)
    context = {
        "form": form,
        "uses": uses,
        "in_use": in_use,
        "form_token": form_tokens.new_token(),
        "loose": SetForm(),
    }
    return render(request, "arena/keys/list.html", context, status=400 if form.errors else 200)


def _detail(request: StaffRequest, found: ApiKey, form: ChangeForm) -> HttpResponse:
    context = {
        "form": form,
        "use": key_use.use_of(found),
        "seen": key_use.seen(found),
        "usage": _usage(found),
        "changes": found.changes.select_related("staff").order_by("-at", "-pk"),
        "days": found.days.all()[:MOST_DAYS],
        "most_days": MOST_DAYS,
        "base_url": base_url(request),
    }
    return render(request, "arena/keys/key.html", context, status=400 if form.errors else 200)


def _usage(found: ApiKey) -> Usage:
    """What the actions of all cards of a key say that they used."""
    plays = Play.objects.filter(run__card__key=found)
    summarise(plays)
    return sum(usage_of(plays.values_list("attempt", flat=True)).values(), NO_USAGE)


@require_POST
@requires(Right.MANAGE_KEYS)
def draw_parts(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Divides the environments of the card's key into development, held-out and final ones."""
    with refusal_told(request, "The parts are drawn and on record."):
        holdouts.draw(card_or_404(card_id).key, request.POST.get("seed", ""), request.user)
    return redirect("arena:card", card_id)


@require_POST
@requires(Right.MANAGE_KEYS)
def read_final(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Shows the final part on this card, once and for good."""
    with refusal_told(request):
        holdouts.read_final(card_or_404(card_id), request.user)
    return redirect("arena:card", card_id)
