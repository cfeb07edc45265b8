from django.urls import path

from playtest.operation import views

app_name = "operation"
urlpatterns = [
    path("staff/operation/", views.operation, name="status"),
    path("staff/operation/alarms/", views.alarms, name="alarms"),
]
