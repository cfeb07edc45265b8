from django.urls import path

from playtest.operation import views
from playtest.operation.retention import views as retention

app_name = "operation"
urlpatterns = [
    path("staff/operation/", views.operation, name="status"),
    path("staff/operation/alarms/", views.alarms, name="alarms"),
    path("staff/operation/retention/", retention.page, name="retention"),
]
