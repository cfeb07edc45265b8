from datetime import date

from django.urls import path, register_converter

from playtest.review.views import signed_days as views


class DateConverter:
    """A day in an address, as 2026-11-22."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(DateConverter, "date")

urlpatterns = [
    path("staff/data/days/", views.signed_days, name="signed-days"),
    path("staff/data/days/<date:day>/", views.signed_day, name="signed-day"),
    path("staff/data/days/signed_days.json", views.signed_days_file, name="signed-days-file"),
]
