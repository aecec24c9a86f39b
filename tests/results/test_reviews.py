from __future__ import annotations

from card_arena.results.store import Store


def following(store: Store) -> str | None:
    review = store.next_review()
    return review.match if review else None


def test_a_review_waits_until_it_is_finished(store: Store) -> None:
    for match in ("friday/1", "friday/2", "friday/1"):
        store.ask_for_review(match, "ada")
    assert following(store) == "friday/1"
    store.begin_review("friday/1", "champion", "abc", prefix=True)
    store.finish_review("friday/1")
    review = store.review("friday/1")
    assert review is not None
    assert (review.reviewer, review.digest, review.prefix, review.failed) == (
        *("champion", "abc"),
        *(True, ""),
    )
    assert following(store) == "friday/2"
    assert store.finished_reviews("friday") == ["friday/1"]
    assert store.review("friday/3") is None


def test_one_that_failed_can_be_asked_for_again_and_a_finished_one_stays(store: Store) -> None:
    for match, failed in (("a/1", "no reviewer"), ("a/2", "")):
        store.ask_for_review(match, "ada")
        store.finish_review(match, failed)
        store.ask_for_review(match, "ada")
    assert following(store) == "a/1"
    assert store.finished_reviews("a") == ["a/2"]


def test_authors_take_turns_however_many_reviews_one_of_them_asks_for(store: Store) -> None:
    for number in range(3):
        store.ask_for_review(f"many/{number}", "ada")
    for number in range(2):
        store.ask_for_review(f"few/{number}", "bob")
    done = []
    while match := following(store):
        store.finish_review(match)
        done.append(match)
    assert done == ["many/0", "few/0", "many/1", "few/1", "many/2"]


def test_a_review_from_the_shell_is_finished_at_once(store: Store) -> None:
    store.ask_for_review("a/1", "ada")
    for match in ("a/1", "a/2"):
        store.keep_review(match, "champion", "abc", prefix=False)
    assert following(store) is None
    assert store.finished_reviews("a") == ["a/1", "a/2"]


def test_evaluations_are_kept_by_their_keys(store: Store) -> None:
    store.keep_evaluations({"k1": ([{"7H": 1.5}], "why"), "k2": ([], "")})
    store.keep_evaluations({"k1": ([{"7H": 1.5}], "why")})
    assert store.evaluations(["k1", "k3"]) == {"k1": ([{"7H": 1.5}], "why")}
