from playtest.insight.urls import baselines, environment, portfolio, releases, study, versions

app_name = "insight"
urlpatterns = [
    *baselines.urlpatterns,
    *environment.urlpatterns,
    *portfolio.urlpatterns,
    *releases.urlpatterns,
    *study.urlpatterns,
    *versions.urlpatterns,
]
