from tests.results.conftest import store

__all__ = ["store"]
