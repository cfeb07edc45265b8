"""Every write to slots, bookings and messages. The study's row is locked first, then a session's."""
