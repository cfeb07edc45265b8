"""What the operation adds: what needs attention, and the record of its backups and audits."""

from playtest.operation import trouble
from playtest.people.append_only import Protected
from playtest.people.manifests import Manifest

MANIFEST = Manifest(
    titles={"operation:alarms": "What to do"},
    waiting={"operation:status": trouble.waiting},
    waiting_at_home=(("operation:status", trouble.waiting_now),),
    protected=(Protected("operation_maintenance"),),
)
