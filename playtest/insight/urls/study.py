from django.urls import path

from playtest.insight.views import study

urlpatterns = [
    path("staff/studies/<int:pk>/", study.study, name="study"),
    path("staff/studies/<int:pk>/now/", study.now, name="study-now"),
    path("staff/studies/<int:pk>/figures/<str:name>/<int:number>/", study.bar, name="study-bar"),
    path("staff/studies/<int:pk>/figures/<str:name>.<str:format>", study.figure, name="study-figure"),
]
