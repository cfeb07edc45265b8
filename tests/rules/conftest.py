from hypothesis import settings

# How long an example takes depends on what else the machine is doing.
settings.register_profile("no_clock", deadline=None)
settings.load_profile("no_clock")
