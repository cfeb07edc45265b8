"""What the center asks of higher rooms, which connect receivers at start; `manage.py signals` lists them."""

from django.dispatch import Signal

flags_asked = Signal()
"""The effort flags of `sessions` are wanted in words. A receiver returns them by session; some have none."""
