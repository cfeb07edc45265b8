from playtest.insight.urls import baselines, board, environment, portfolio, releases, study, versions

app_name = "insight"
urlpatterns = [
    *baselines.urlpatterns,
    *board.urlpatterns,
    *environment.urlpatterns,
    *portfolio.urlpatterns,
    *releases.urlpatterns,
    *study.urlpatterns,
    *versions.urlpatterns,
]
