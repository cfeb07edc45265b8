from django.urls import path

from playtest.insight.views import baselines

urlpatterns = [
    path("staff/environments/<str:code>/baseline/", baselines.baseline, name="baseline"),
    path(
        "staff/environments/<str:code>/baseline/figures/<str:name>.<str:format>",
        baselines.baseline_figure,
        name="baseline-figure",
    ),
]
