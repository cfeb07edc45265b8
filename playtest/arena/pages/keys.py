"""The engineer's pages of API keys."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import ApiKey
from playtest.arena.pages.cards import base_url
from playtest.arena.runs import keys as key_use
from playtest.arena.runs.reads import usage_of_cards
from playtest.arena.runs.sums import summarise_cards
from playtest.arena.runs.usage import NO_USAGE, Usage
from playtest.center import form_tokens
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.studio.models import ReleaseSet

MOST_CARDS = 100
"""How many cards the page of a key lists."""
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
    with refusal_told(request):
        key_use.change_key(found, **form.cleaned_data, staff=request.user)
        messages.success(request, "Stored.")
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
    }
    return render(request, "arena/keys/list.html", context, status=400 if form.errors else 200)


def _detail(request: StaffRequest, found: ApiKey, form: ChangeForm) -> HttpResponse:
    context = {
        "form": form,
        "use": key_use.use_of(found),
        "cards": key_use.cards_of(found, MOST_CARDS),
        "most_cards": MOST_CARDS,
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
    cards = list(found.cards.all())
    summarise_cards(cards)
    return sum(usage_of_cards([card.pk for card in cards]).values(), NO_USAGE)
