"""The filters of the list of attempts."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet

from playtest.people.models import Staff
from playtest.people.templatetags.staff import outcome as outcome_label
from playtest.play.models import Attempt, ProtocolVersion, Study
from playtest.review.queries import attempts as queries
from playtest.review.queries.attempts import LEVEL_STATUS_LABELS, LevelStatus
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, Version
from playtest.studio.pictures import EnvironmentField, with_pictures

NEWEST_FIRST = "-begun"


class Filters(forms.Form):
    """The filters of the list; they are in the address, so that a list can be bookmarked."""

    study = forms.ModelChoiceField(Study.objects.order_by("name"), required=False, empty_label="every study")
    protocol = forms.ModelChoiceField(
        ProtocolVersion.objects.none(),
        required=False,
        label="Version of the protocol",
        empty_label="every version",
        widget=forms.HiddenInput,
    )
    environment = EnvironmentField(with_pictures(), required=False, empty_label="every environment")
    owner = forms.ModelChoiceField(
        Staff.objects.none(),
        required=False,
        label="Environments of",
        empty_label="everybody",
        widget=forms.HiddenInput,
    )
    version = forms.ModelChoiceField(
        Version.objects.none(), required=False, empty_label="every version", widget=forms.HiddenInput
    )
    participant = forms.CharField(required=False, max_length=64)
    people = forms.ChoiceField(
        required=False,
        choices=[
            ("", "everyone"),
            ("real", "real people, no rehearsals"),
            ("rehearsing", "rehearsals and simulated people"),
            ("outside", "people of studies from outside"),
        ],
    )
    outcome = forms.ChoiceField(
        required=False,
        choices=[("", "every outcome"), *((name, outcome_label(name)) for name in queries.OUTCOME_FILTERS)],
    )
    level = forms.IntegerField(required=False, min_value=1, max_value=255)
    level_status = forms.ChoiceField(
        required=False,
        label="That level",
        choices=[(name.value, LEVEL_STATUS_LABELS[name]) for name in LevelStatus],
    )
    counts = forms.ChoiceField(
        required=False,
        label="Counts as an attempt",
        choices=[("", "counted or not"), ("yes", "counts"), ("no", "does not count")],
    )
    at_once = forms.ChoiceField(
        required=False,
        label="Left at once",
        choices=[("", "at once or not"), (queries.YES, "left at once"), (queries.NO, "not left at once")],
    )
    excluded = forms.ChoiceField(
        required=False,
        label="Exclusions",
        choices=[
            ("", "excluded or not"),
            ("no", "without excluded"),
            ("yes", "excluded only"),
            (queries.VOIDED, "voided by staff"),
            (queries.HONOURED, "as results count them"),
        ],
    )
    review = forms.ChoiceField(
        required=False,
        label="Review",
        choices=[
            ("", "under review or not"),
            (queries.NO, "not under review"),
            (queries.YES, "under review"),
        ],
    )
    sort = forms.ChoiceField(
        required=False,
        widget=forms.HiddenInput,
        choices=[(f"{sign}{name}", name) for name in queries.ORDERS for sign in ("", "-")],
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        study = whole_number(data.get("study", ""))
        if study is not None:
            protocol: Any = self.fields["protocol"]
            known_studies = Study.objects.filter(pk=study)
            protocol.queryset = ProtocolVersion.objects.filter(study__in=known_studies).order_by("number")
            protocol.widget = forms.Select(choices=protocol.choices)
        if whole_number(data.get("owner", "")) is not None:
            owner: Any = self.fields["owner"]
            owner.queryset = Staff.objects.filter(pk__in=Environment.objects.values("owner"))
            owner.widget = forms.Select(choices=owner.choices)
        environment = whole_number(data.get("environment", ""))
        if environment is not None:
            version: Any = self.fields["version"]
            # A number that no key can have is an empty list of these, and an error where a key is compared.
            known = Environment.objects.filter(pk=environment)
            version.queryset = Version.objects.filter(environment__in=known).order_by("-pk")
            version.label_from_instance = _version_label
            version.widget = forms.Select(choices=version.choices)

    def add_prefix(self, field_name: str) -> str:
        """The parameter of a field: addresses that people have saved say `there` for the level's status."""
        return "there" if field_name == "level_status" else super().add_prefix(field_name)

    @cached_property
    def given(self) -> dict[str, Any]:
        """The filters with a valid value, without the order."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if value and name != "sort"}
        if "level" not in given:
            given.pop("level_status", None)
        return given

    @property
    def order(self) -> str:
        """The order of the list."""
        self.is_valid()
        return self.cleaned_data.get("sort") or NEWEST_FIRST

    @property
    def address(self) -> str:
        """The filters and the order as the query of an address."""
        chosen = {name: value for name, value in self.data.items() if value and name not in ("page", "sort")}
        return urlencode({**chosen, "sort": self.order})

    @property
    def moment(self) -> str:
        """Where a replay of the list begins: at the level that the list is about, or at how it ended."""
        if "level" not in self.given:
            return ""
        stopped = self.given.get("level_status") == LevelStatus.STOPPED
        return f"#{'end' if stopped else 'level'}={self.given['level']}"

    def attempts(self) -> QuerySet[Attempt]:
        """The attempts of the list, in its order."""
        return queries.filtered(queries.attempts(self.order), **self.given)


def _version_label(version: Version) -> str:
    return f"{version.digest[:8]}, {version.imported_at:%Y-%m-%d}"
