from django.urls import path

from playtest.review.views import decisions, queue

urlpatterns = [
    path("staff/review/", queue.queue, name="queue"),
    path("staff/review/<int:pk>/", queue.case, name="case"),
    path("staff/review/<int:pk>/decide/", queue.decide, name="decide"),
    path("staff/review/decisions/", decisions.decisions, name="decisions"),
    path("staff/review/decisions/<int:pk>/reverse/", decisions.reverse, name="decision-reverse"),
]
