"""Pictures of the gallery, whole, at four sizes in both themes."""

from playwright.sync_api import ViewportSize

from tools.screenshots.camera import DESK, PHONE, WALL, Camera
from tools.screenshots.world import World

TABLET: ViewportSize = {"width": 768, "height": 1024}
SIZES = {"phone": PHONE, "tablet": TABLET, "desk": DESK, "wall": WALL}


def take(camera: Camera, world: World) -> None:
    """Take the gallery eight times, as long as it is."""
    for name, size in SIZES.items():
        for scheme in ("light", "dark"):
            with camera.staff(size, scheme) as page:
                camera.open(page, "/staff/gallery/")
                page.locator("#figure-many-marks svg.plot").wait_for()
                camera.take(page, f"gallery-{name}-{scheme}", whole=True)
