from card_arena.tests.tournament.fixtures import _cache, _let_others_sandboxes_alone, notes, store

__all__ = ["_cache", "_let_others_sandboxes_alone", "notes", "store"]
