"""Addresses of the review room: one module a concern, joined here."""

from playtest.review.urls import attempts, exports, verification

app_name = "review"
urlpatterns = [*attempts.urlpatterns, *exports.urlpatterns, *verification.urlpatterns]
