"""What holds for every test there is."""

from hypothesis import HealthCheck, settings

# The same examples in every run, however busy the machine is: a failure is a change's and no luck.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")
