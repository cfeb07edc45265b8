from django.urls import path

from playtest.center.views import sessions
from playtest.center.views.welcome import welcome

app_name = "center"
urlpatterns = [
    path("", welcome, name="welcome"),
    path("staff/sessions/", sessions.sessions, name="sessions"),
    path("staff/sessions/new/", sessions.new_session, name="session-new"),
    path("staff/sessions/<int:pk>/", sessions.session, name="session"),
    path("staff/sessions/<int:pk>/code/", sessions.reissue, name="session-code"),
    path("staff/sessions/<int:pk>/end/", sessions.end, name="session-end"),
    path("staff/stations/", sessions.station, name="station"),
]
