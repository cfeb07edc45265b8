"""The address every station shows first."""

from django.urls import path

from playtest.center.views.welcome import welcome

urlpatterns = [path("", welcome, name="welcome")]
