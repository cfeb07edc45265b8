"""Addresses of the review room: one module a concern, joined here."""

from playtest.review.urls import attempts, comments, exports, verification

app_name = "review"
urlpatterns = [*attempts.urlpatterns, *comments.urlpatterns, *exports.urlpatterns, *verification.urlpatterns]
