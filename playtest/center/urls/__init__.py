from playtest.center.urls import sessions, welcome

app_name = "center"
urlpatterns = [*welcome.urlpatterns, *sessions.urlpatterns]
