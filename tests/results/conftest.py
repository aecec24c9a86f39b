from card_arena.tests.results.fixtures import store

__all__ = ["store"]
