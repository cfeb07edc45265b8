from django.urls import path

from playtest.insight.views import board, redundancy, sets

urlpatterns = [
    path("staff/board/", board.board, name="board"),
    path("staff/board/<str:code>/move/", board.move, name="board-move"),
    path("staff/redundancy/", redundancy.redundancy, name="redundancy"),
    path("staff/redundancy/<str:first>/<str:second>/", redundancy.mark, name="redundancy-mark"),
    path("staff/sets/", sets.sets, name="sets"),
    path("staff/sets/adopt/", sets.adopt, name="sets-adopt"),
]
