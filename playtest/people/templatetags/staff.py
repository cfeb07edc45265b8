"""Tags and filters of staff templates: times, durations, labels of actions and outcomes."""

from datetime import UTC, datetime

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join, json_script
from django.utils.translation import get_language

from playtest.people.languages import ENGLISH_NAMES, words_of_scripts
from playtest.people.manifests import parts_of
from playtest.people.models import Staff
from playtest.people.navigation import trail as steps_to
from playtest.people.retention import EXPORTS, period
from playtest.rules.attempt import RECORDING_ENDS
from playtest.rules.labels import ACTION_LABELS, OUTCOME_LABELS, RECORDING_ENDS_LABEL, RUN_OUTCOME_LABELS

register = template.Library()


@register.simple_tag(takes_context=True)
def added_parts(context: RequestContext, page: str, subject: object = None) -> str:
    """What higher rooms add to a page (`people.manifests`)."""
    user = context.get("user")
    staff = user if isinstance(user, Staff) else None
    rendered = (render_to_string(part.template, part.values(staff, subject)) for part in parts_of(page))
    return format_html_join("", "{}", ((text,) for text in rendered))


@register.simple_tag
def center_name() -> str:
    """What the center is called."""
    return str(settings.CENTER_NAME)


@register.simple_tag
def exports_kept() -> str:
    """What becomes of the files of exports, and when."""
    return f"Files are {period(EXPORTS)}."


@register.simple_tag
def page_words() -> str:
    """The words of the page's scripts in its language (static/shared/catalogue.js); nothing in English."""
    return json_script(words_of_scripts(), "words") if get_language() != settings.LANGUAGE_CODE else ""


@register.simple_tag(takes_context=True)
def trail(context: RequestContext) -> str:
    """The steps from a place to this page (`people.navigation`); nothing on a page of one step."""
    request, user = context.get("request"), context.get("user")
    steps = steps_to(request, user) if request and isinstance(user, Staff) else []
    return render_to_string("people/trail.html", {"steps": steps}) if len(steps) > 2 else ""


@register.simple_block_tag
def scope_line(content: str, label: str, action: str = "") -> str:
    """The fields in its block as the one line that says what a page shows (`staff/page-filters.js`).

    `action` is the address of what they change, if it is not the whole page.
    """
    return render_to_string("people/scope-line.html", {"fields": content, "label": label, "action": action})


@register.simple_tag
def moment(value: datetime | None, *, seconds: bool = False) -> str:
    """A point in time in UTC, which `staff/local-times.js` turns into the viewer's zone; a dash for none."""
    if value is None:
        return "–"  # noqa: RUF001
    exact = value.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}"{}>{}</time>',
        exact.isoformat(timespec="milliseconds"),
        exact.isoformat(sep=" ", timespec="milliseconds"),
        " data-seconds" if seconds else "",
        exact.strftime("%Y-%m-%d %H:%M UTC"),
    )


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as m:ss, or h:mm:ss from an hour on; a dash for None."""
    if seconds is None:
        return "–"  # noqa: RUF001
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def minutes_as_time(minutes: float | None) -> str:
    """Minutes as `duration` writes them."""
    return duration(None if minutes is None else minutes * 60)


@register.filter
def controls(actions: list[int]) -> str:
    """The labels of actions; all four directions are one label."""
    offered = set(actions)
    labels = ["directions"] if {1, 2, 3, 4} <= offered else []
    single = offered - {1, 2, 3, 4} if labels else offered
    return ", ".join(labels + [ACTION_LABELS[action] for action in sorted(single)])


_OUTCOME_LABELS: dict[str, str] = {
    **(RUN_OUTCOME_LABELS | OUTCOME_LABELS),
    "": "in progress",
    "fault_not_acknowledged": "environment fault, not seen yet",
    "in_progress": "in progress",
    RECORDING_ENDS: RECORDING_ENDS_LABEL,
    "lost": "gave up, concluded or timed out",
    "not_cut_short": "not cut short",
    "decided": "decided, solved or not",
}


@register.filter
def outcome(value: str) -> str:
    """The label of an attempt's outcome, or of a filter for outcomes."""
    return _OUTCOME_LABELS[value]


@register.filter
def language_name(code: str) -> str:
    """What staff call a language of participants' pages; its code if it is offered no more."""
    return str(ENGLISH_NAMES.get(code, code))


@register.filter
def spaced(name: str) -> str:
    """A snake_case name with spaces."""
    return name.replace("_", " ")


@register.filter
def details(values: dict[str, object]) -> str:
    """An event's details as "name: value" pairs."""
    return ", ".join(
        f"{name.replace('_', ' ')}: {value}" for name, value in values.items() if value is not None
    )


@register.simple_tag(takes_context=True)
def sort_heading(context: RequestContext, name: str, label: str) -> str:
    """A heading whose link sorts a paged list by this column, or reverses the order."""
    current = context["sort"]
    wanted = f"-{name}" if current == name else name
    query = context["request"].GET.copy()
    query["sort"] = wanted
    query.pop("page", None)
    order = {name: "ascending", f"-{name}": "descending"}.get(current)
    return format_html(
        '<th scope="col"{}><a href="?{}">{}</a></th>',
        format_html(' aria-sort="{}"', order) if order else "",
        query.urlencode(),
        label,
    )
