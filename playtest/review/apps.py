"""The app of review."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"
