from django.urls import path

from playtest.center import views
from playtest.center.calls import calls
from playtest.center.interventions import views as interventions
from playtest.center.interventions.controls import CONTROLS
from playtest.center.interventions.group_controls import GROUP_CONTROLS
from playtest.center.pay import slot_views as slot_pay
from playtest.center.pay import views as pay
from playtest.center.same_records import same_person
from playtest.center.schedule.views import bookings, slots
from playtest.center.stations import views as stations
from playtest.center.wall import views as wall

app_name = "center"
urlpatterns = [
    path("", views.welcome, name="welcome"),
    path("staff/sessions/", views.sessions, name="sessions"),
    path("staff/sessions/new/", views.new_session, name="session-new"),
    path("staff/sessions/<int:pk>/", views.session, name="session"),
    path("staff/sessions/<int:pk>/now/", views.session_now, name="session-now"),
    path("staff/sessions/<int:pk>/controls/", interventions.controls, name="session-controls"),
    *(
        path(
            f"staff/sessions/<int:pk>/{control}/",
            interventions.act,
            {"control": control},
            name=f"session-{control}",
        )
        for control in CONTROLS
    ),
    path("staff/participants/<int:pk>/same-person/", same_person, name="same-person"),
    path("staff/calls/", calls, name="calls"),
    path("staff/room-controls/", interventions.group_controls, name="room-controls"),
    *(
        path(
            f"staff/room-controls/{control}/",
            interventions.act_on_group,
            {"control": control},
            name=f"room-{control}",
        )
        for control in GROUP_CONTROLS
    ),
    path("staff/schedule/", slots.schedule, name="schedule"),
    path("staff/schedule/new/", slots.new_slots, name="slots-new"),
    path("staff/schedule/roster/", bookings.roster, name="roster"),
    path("staff/schedule/roster/import/", bookings.import_lines, name="roster-import"),
    path("staff/schedule/roster/report/", bookings.report, name="roster-report"),
    path("staff/schedule/<int:pk>/", slots.slot, name="slot"),
    path("staff/schedule/<int:pk>/now/", slots.slot_now, name="slot-now"),
    path("staff/schedule/<int:pk>/cancel/", slots.cancel, name="slot-cancel"),
    path("staff/schedule/<int:pk>/no-shows/", slots.no_shows, name="slot-no-shows"),
    path("staff/schedule/<int:pk>/cards/", slots.cards, name="slot-cards"),
    path("staff/schedule/<int:pk>/wait/", bookings.add_waiting, name="slot-wait"),
    path("staff/schedule/<int:pk>/walk-in/", bookings.add_walk_in, name="slot-walk-in"),
    path("staff/schedule/<int:pk>/invite/", bookings.invite, name="slot-invite"),
    path("staff/schedule/<int:pk>/invitations/", bookings.download, name="slot-invitations"),
    path("staff/bookings/<int:pk>/code/", bookings.code, name="booking-code"),
    path("staff/bookings/<int:pk>/no-show/", bookings.no_show, name="booking-no-show"),
    path("staff/bookings/<int:pk>/cancel/", bookings.cancel, name="booking-cancel"),
    path("staff/bookings/<int:pk>/move/", bookings.move, name="booking-move"),
    path("invitation/<str:token>/", bookings.invitation, name="invitation"),
    path("station/", stations.register, name="station-register"),
    path("staff/wall/", wall.wall, name="wall"),
    path("staff/wall/<int:pk>/events/", wall.events, name="wall-events"),
    path("staff/stations/", stations.stations, name="stations"),
    path("staff/stations/new/", stations.create, name="station-new"),
    path("staff/stations/codes/", stations.codes, name="station-codes"),
    path("staff/stations/<int:number>/", stations.station, name="station"),
    path("staff/stations/<int:number>/code/", stations.code, name="station-code"),
    path("staff/stations/<int:number>/retire/", stations.retire, name="station-retire"),
    path("staff/sessions/<int:pk>/pay/", pay.adjust, name="session-pay"),
    path("staff/pay/", pay.overview, name="pay"),
    path("staff/pay/studies/<int:pk>/", pay.study, name="pay-study"),
    path("staff/pay/studies/<int:pk>/budget/", pay.budget, name="pay-budget"),
    path("staff/pay/adjustments/<int:pk>/", pay.decide, name="pay-decide"),
    path("staff/pay/receipts/<int:pk>/", pay.receipt, name="pay-receipt"),
    path("staff/pay/batches/new/", pay.new_batch, name="pay-batch-new"),
    path("staff/pay/batches/<int:pk>/", pay.batch, name="pay-batch"),
    path("staff/pay/receipts/<int:pk>/cash/", pay.cash, name="pay-cash"),
    path("staff/pay/receipts/<int:pk>/not-paid/", pay.cash_undone, name="pay-cash-undone"),
    path("staff/schedule/<int:pk>/pay/", slot_pay.slot_pay, name="slot-pay"),
    path("staff/schedule/<int:pk>/pay/receipts/", slot_pay.slot_receipts, name="slot-receipts"),
    path("staff/schedule/<int:pk>/pay/cash/", slot_pay.slot_cash, name="slot-cash"),
    path("staff/pay/batches/<int:pk>/sent/", pay.batch_sent, name="pay-batch-sent"),
    path("staff/pay/batches/<int:pk>/returned/", pay.batch_returned, name="pay-batch-returned"),
    path("staff/pay/batches/<int:pk>/file/", pay.batch_file, name="pay-batch-file"),
]
