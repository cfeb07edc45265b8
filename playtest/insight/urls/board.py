from django.urls import path

from playtest.insight.views import board

urlpatterns = [
    path("staff/board/", board.board, name="board"),
    path("staff/board/<str:code>/move/", board.move, name="board-move"),
]
