from playtest.play.urls import participant, studies

app_name = "play"
urlpatterns = [*participant.urlpatterns, *studies.urlpatterns]
