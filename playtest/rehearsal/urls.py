from django.urls import path

from playtest.rehearsal.try_out import try_out

app_name = "rehearsal"
urlpatterns = [path("try-out/", try_out, name="try-out")]
