from django.urls import path

from playtest.studio.views import environments as views
from playtest.studio.views import imports

urlpatterns = [
    path("staff/environments/import/", imports.import_page, name="import"),
    path("staff/environments/<str:code>/studio/", views.environment, name="environment"),
    path("staff/environments/<str:code>/studio/edit/", views.edit, name="edit"),
]
