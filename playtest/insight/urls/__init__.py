from playtest.insight.urls import baselines, environment, releases, versions

app_name = "insight"
urlpatterns = [
    *baselines.urlpatterns,
    *environment.urlpatterns,
    *releases.urlpatterns,
    *versions.urlpatterns,
]
