from django.urls import path

from playtest.insight.views import environment as views

urlpatterns = [
    path("staff/environments/<str:code>/", views.environment, name="environment"),
    path("staff/environments/<str:code>/now/", views.now, name="environment-now"),
    path(
        "staff/environments/<str:code>/figures/<str:name>.<str:format>",
        views.figure,
        name="environment-figure",
    ),
    path("staff/environments/<str:code>/levels/<int:number>/", views.level, name="level"),
    path("staff/environments/<str:code>/levels/<int:number>.png", views.level_picture, name="level-picture"),
]
