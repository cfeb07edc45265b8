from django.urls import path

from playtest.play.views import studies

urlpatterns = [
    path("staff/studies/", studies.studies, name="studies"),
    path("staff/studies/new/", studies.new_study, name="study-new"),
    path("staff/studies/<int:pk>/edit/", studies.edit_study, name="study-edit"),
]
