"""What takes long is worked out for many readers."""

from __future__ import annotations

from card_arena.leaderboard.web.caches import ThrottledCache


class Clock:
    """Time that passes by as much as is said."""

    now = 100.0

    def __call__(self) -> float:
        return self.now

    def takes(self, seconds: float, value: str) -> str:
        self.now += seconds
        return value


def test_a_value_is_worked_out_anew_when_what_it_follows_from_has_changed() -> None:
    kept: ThrottledCache[str] = ThrottledCache()
    assert kept.at(1, lambda: "one") == "one"
    assert kept.at(1, lambda: "another") == "one"
    assert kept.at(2, lambda: "two") == "two"


def test_with_patience_it_is_kept_for_so_many_times_as_long_as_it_took() -> None:
    clock = Clock()
    kept: ThrottledCache[str] = ThrottledCache(20, clock)
    assert kept.at(1, lambda: clock.takes(3, "one")) == "one"
    clock.now += 59
    assert kept.at(2, lambda: "two") == "one"
    clock.now += 1
    assert kept.at(2, lambda: "two") == "two"
    assert kept.at(3, lambda: "three") == "three"
