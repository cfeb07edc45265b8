"""The URLs of participants' pages, and of staff pages for studies and for internal plays."""

from django.urls import path

from playtest.play.views import internal_plays, participant, studies

app_name = "play"
urlpatterns = [
    path("sitting/", participant.sitting, name="sitting"),
    path("sitting/page/", participant.page, name="page"),
    path("sitting/consent/", participant.consent, name="consent"),
    path("sitting/survey/", participant.survey, name="survey"),
    path("sitting/tutorial/", participant.tutorial, name="tutorial"),
    path("sitting/play/", participant.board, name="board"),
    path("sitting/call/", participant.call, name="call"),
    path("sitting/debrief/", participant.debrief, name="debrief"),
    path("sitting/thanks/", participant.thanks, name="thanks"),
    path("staff/environments/<str:code>/play/", internal_plays.begin, name="internal-begin"),
    path("staff/plays/<int:pk>/", internal_plays.board, name="internal-play"),
    path("staff/studies/", studies.studies, name="studies"),
    path("staff/studies/new/", studies.new_study, name="study-new"),
    path("staff/studies/<int:pk>/protocol/", studies.versions, name="protocol-versions"),
    path("staff/studies/<int:pk>/protocol/<int:number>.json", studies.file, name="protocol-file"),
    path("staff/studies/<int:pk>/participant/<str:name>/", studies.preview, name="preview"),
    path("staff/studies/<int:pk>/survey/", studies.survey, name="survey-edit"),
    path("staff/studies/<int:pk>/edit/", studies.edit_study, name="study-edit"),
]
