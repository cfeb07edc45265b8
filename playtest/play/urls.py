"""The URLs of participants' pages, and of staff pages for studies and for internal plays."""

from django.urls import path

from playtest.play.views import internal_plays, participant, studies

app_name = "play"
urlpatterns = [
    path("session/", participant.session_page, name="session"),
    path("session/page/", participant.page, name="page"),
    path("session/consent/", participant.consent, name="consent"),
    path("session/survey/", participant.survey, name="survey"),
    path("session/tutorial/", participant.tutorial, name="tutorial"),
    path("session/play/", participant.board, name="board"),
    path("session/call/", participant.call, name="call"),
    path("session/debrief/", participant.debrief, name="debrief"),
    path("session/thanks/", participant.thanks, name="thanks"),
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
