"""Addresses of a sitting. They say nothing about what is being played."""

from django.urls import path

from playtest.play.views import participant

urlpatterns = [
    path("sitting/", participant.sitting, name="sitting"),
    path("sitting/consent/", participant.consent, name="consent"),
    path("sitting/survey/", participant.survey, name="survey"),
    path("sitting/tutorial/", participant.tutorial, name="tutorial"),
    path("sitting/play/", participant.board, name="board"),
    path("sitting/thanks/", participant.thanks, name="thanks"),
]
