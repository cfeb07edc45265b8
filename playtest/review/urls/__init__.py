"""Addresses of the review room: one module a concern, joined here."""

from playtest.review.urls import attempts, verification

app_name = "review"
urlpatterns = [*attempts.urlpatterns, *verification.urlpatterns]
