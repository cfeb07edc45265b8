from django.urls import path

from playtest.center.interventions import views as interventions
from playtest.center.interventions.deeds import DEEDS
from playtest.center.stations import views as stations
from playtest.center.views import sessions
from playtest.center.views.welcome import welcome

app_name = "center"
urlpatterns = [
    path("", welcome, name="welcome"),
    path("staff/sessions/", sessions.sessions, name="sessions"),
    path("staff/sessions/new/", sessions.new_session, name="session-new"),
    path("staff/sessions/<int:pk>/", sessions.session, name="session"),
    path("staff/sessions/<int:pk>/now/", sessions.session_now, name="session-now"),
    path("staff/sessions/<int:pk>/controls/", interventions.controls, name="session-controls"),
    *(
        path(f"staff/sessions/<int:pk>/{deed}/", interventions.act, {"deed": deed}, name=f"session-{deed}")
        for deed in DEEDS
    ),
    path("station/", stations.register, name="station-register"),
    path("staff/stations/", stations.stations, name="stations"),
    path("staff/stations/new/", stations.create, name="station-new"),
    path("staff/stations/codes/", stations.codes, name="station-codes"),
    path("staff/stations/rename/", stations.rename, name="station-rename"),
    path("staff/stations/<int:number>/", stations.station, name="station"),
    path("staff/stations/<int:number>/code/", stations.code, name="station-code"),
    path("staff/stations/<int:number>/retire/", stations.retire, name="station-retire"),
]
