from django.apps import AppConfig


class PlaytestConfig(AppConfig):
    name = "playtest"

    def ready(self) -> None:
        from playtest.serve import deployment  # noqa: F401  registers its checks
