from playtest.insight.urls import baselines

app_name = "insight"
urlpatterns = [*baselines.urlpatterns]
