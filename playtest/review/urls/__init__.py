"""Addresses of the review room: one module a concern, joined here."""

from playtest.review.urls import (
    attempts,
    collections,
    comments,
    comparisons,
    dataset,
    exports,
    queue,
    signed_days,
    stored,
    verification,
    withdrawal,
)

app_name = "review"
urlpatterns = [
    *attempts.urlpatterns,
    *collections.urlpatterns,
    *comments.urlpatterns,
    *comparisons.urlpatterns,
    *dataset.urlpatterns,
    *exports.urlpatterns,
    *queue.urlpatterns,
    *signed_days.urlpatterns,
    *stored.urlpatterns,
    *verification.urlpatterns,
    *withdrawal.urlpatterns,
]
