from django.urls import path

from playtest.insight.outside import views as imports
from playtest.insight.pages import internal_plays as internal
from playtest.insight.pages.action_patterns import views as patterns
from playtest.insight.pages.baseline import views as baseline
from playtest.insight.pages.board import board_views
from playtest.insight.pages.environment import version_views
from playtest.insight.pages.environment import views as environment
from playtest.insight.pages.portfolio import views as portfolio
from playtest.insight.pages.split import views as split
from playtest.insight.pages.states import views as states
from playtest.insight.pages.static_tasks import views as static_tasks
from playtest.insight.pages.study import comparison as of_studies
from playtest.insight.pages.study import views as study
from playtest.insight.paper import planning
from playtest.insight.paper import preregistration_views as preregistration
from playtest.insight.paper.report import views as report

_ENVIRONMENT = "staff/environments/<str:code>"
_STUDY = "staff/studies/<int:pk>"
_LEVEL = f"{_ENVIRONMENT}/levels/<int:number>"
_RELEASE = f"{_ENVIRONMENT}/releases/<int:number>"
_PREREGISTRATION = f"{_STUDY}/preregistration/<int:number>"
_FIGURE = "figures/<str:name>.<str:format>"

app_name = "insight"
urlpatterns = [
    path("staff/environments/", portfolio.portfolio, name="portfolio"),
    path("staff/environments.csv", portfolio.file, name="portfolio-file"),
    # One environment
    path(f"{_ENVIRONMENT}/", environment.environment, name="environment"),
    path(f"{_ENVIRONMENT}/now/", environment.now, name="environment-now"),
    path(f"{_ENVIRONMENT}/{_FIGURE}", environment.figure, name="environment-figure"),
    path(f"{_LEVEL}/", environment.level, name="level"),
    path(f"{_LEVEL}.png", environment.level_picture, name="level-picture"),
    path(f"{_LEVEL}/ends/", environment.ends, name="ends"),
    path(f"{_LEVEL}/tried/", patterns.page, name="action-patterns"),
    path(f"{_LEVEL}/tried/now/", patterns.now, name="action-patterns-now"),
    path(f"{_LEVEL}/states/", states.states, name="states"),
    path(f"{_LEVEL}/states/list/", states.states_list, name="states-list"),
    path(f"{_LEVEL}/states/<str:key>/", states.state, name="state"),
    path(f"{_ENVIRONMENT}/split/", split.split, name="split"),
    path(f"{_ENVIRONMENT}/split/{_FIGURE}", split.figure, name="split-figure"),
    path(f"{_ENVIRONMENT}/versions/", version_views.versions, name="versions"),
    path("staff/plays/<int:pk>/results/", internal.internal_play, name="internal-play"),
    # Baselines
    path("staff/baselines/", baseline.baselines, name="baselines"),
    path("staff/reports/", report.reports, name="reports"),
    path(f"{_ENVIRONMENT}/baseline/", baseline.baseline, name="baseline"),
    path(f"{_ENVIRONMENT}/baseline/{_FIGURE}", baseline.baseline_figure, name="baseline-figure"),
    path(f"{_ENVIRONMENT}/releases/", baseline.new_release, name="release-new"),
    path(f"{_RELEASE}/", baseline.release, name="release"),
    path(f"{_RELEASE}/inputs.csv", baseline.release_inputs, name="release-inputs"),
    path("staff/study-imports/", imports.imports, name="study-imports"),
    path("staff/study-imports/<int:pk>/", imports.import_job, name="study-import"),
    path("staff/study-imports/<int:pk>/cancel/", imports.cancel, name="study-import-cancel"),
    # A study
    path(f"{_STUDY}/", study.study, name="study"),
    path(f"{_STUDY}/now/", study.now, name="study-now"),
    path(f"{_STUDY}/source/", imports.source, name="study-source"),
    path(f"{_STUDY}/beside/", of_studies.beside, name="study-beside"),
    path(f"{_STUDY}/tasks/", static_tasks.static_tasks, name="study-tasks"),
    path(f"{_STUDY}/tasks/figures/<str:name>/<int:number>/", static_tasks.bar, name="study-tasks-bar"),
    path(f"{_STUDY}/tasks/{_FIGURE}", static_tasks.figure, name="study-tasks-figure"),
    path(f"{_STUDY}/figures/<str:name>/<int:number>/", study.bar, name="study-bar"),
    path(f"{_STUDY}/{_FIGURE}", study.figure, name="study-figure"),
    # Its report
    path(f"{_STUDY}/report/", report.report, name="report"),
    path(f"{_STUDY}/report.<str:format>", report.file, name="report-file"),
    path(f"{_STUDY}/report/<str:item>/", report.answer, name="report-answer"),
    path(f"{_RELEASE}/reports/<int:pk>.<str:format>", report.released, name="released-report"),
    # Its plan and preregistration
    path(f"{_STUDY}/plan/", planning.planning, name="plan"),
    path(f"{_STUDY}/preregistration/", preregistration.preregistration, name="preregistration"),
    path(f"{_STUDY}/preregister/", preregistration.preregister, name="preregister"),
    path(f"{_PREREGISTRATION}/", preregistration.preregistration, name="preregistration-numbered"),
    path(f"{_PREREGISTRATION}/registry/", preregistration.registry, name="preregistration-registry"),
    path(f"{_PREREGISTRATION}.<str:format>", preregistration.file, name="preregistration-file"),
    # The pipeline
    path("staff/board/", board_views.board, name="board"),
    path("staff/board/<str:code>/move/", board_views.move, name="board-move"),
    path("staff/redundancy/", board_views.redundancy, name="redundancy"),
    path("staff/redundancy/<str:first>/<str:second>/", board_views.mark, name="redundancy-mark"),
    path("staff/redundancy/marks/<int:pk>/answer/", board_views.answer_mark, name="redundancy-answer"),
    path("staff/sets/", board_views.sets, name="sets"),
    path("staff/sets/adopt/", board_views.adopt, name="sets-adopt"),
]
