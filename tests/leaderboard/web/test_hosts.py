"""Pages say which hosts of a cluster played what."""

from __future__ import annotations

from collections.abc import Callable

from flask.testing import FlaskClient

from card_arena.results.store import Store
from card_arena.tests.results.host_seasons import ALPHA, KEYS, played


def test_pages_say_which_hosts_played_what(
    new_store: Store, open_site: Callable[[str], FlaskClient]
) -> None:
    played(new_store)
    page = open_site(str(new_store.database.url))
    shown = page.get("/t/small/1").text
    assert "alpha" in shown
    assert ALPHA.sha256[:16] in shown
    assert " on alpha" in page.get(f"/match/{KEYS[0]}").text
    assert " on " not in page.get(f"/match/{KEYS[1]}").text.partition('class="lead"')[2][:300]
