#!/bin/sh
# Starts Chromium as a station (docs/stations.md).
exec chromium \
  --kiosk \
  --user-data-dir=/var/lib/playtest-station \
  --password-store=basic \
  --no-first-run \
  --no-default-browser-check \
  --noerrdialogs \
  --hide-crash-restore-bubble \
  --disable-session-crashed-bubble \
  --disable-pinch \
  --overscroll-history-navigation=0 \
  --disable-features=Translate \
  https://center.example.org/ "$@"
