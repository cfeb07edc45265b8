"""Addresses of the studio: one module a concern, joined here."""

from playtest.studio.urls import environments, runs

app_name = "studio"
urlpatterns = [*environments.urlpatterns, *runs.urlpatterns]
