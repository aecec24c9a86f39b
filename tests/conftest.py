"""What holds for every test there is."""

import gc

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, however busy the machine is: a failure is a change's and no luck.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with what is given more time than the rest: at the end nobody would share the work."""
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


def pytest_collection_finish():
    """Leave thousands of tests out of what is searched for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
