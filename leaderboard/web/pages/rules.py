"""The rules of the games as pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from flask import abort, render_template

from card_arena.common.checkout import ROOT
from card_arena.leaderboard.web.pages.documents import article, with_links
from card_arena.leaderboard.web.pages.site import blueprint, game_title
from card_arena.tables.registry import GAMES


@cache
def rules_texts() -> Mapping[str, str]:
    """The rules of each game as Markdown, by its name."""
    return {name: (ROOT / _path(name)).read_text(encoding="utf-8") for name in GAMES}


def _path(name: str) -> str:
    return f"docs/rules/{name}.md"


@blueprint.get("/rules")
@blueprint.get("/rules/<name>")
def rules(name: str | None = None) -> str:
    """The rules of a game, or the list of the games."""
    texts = rules_texts()
    if name is None:
        summaries = {game: text.split("\n\n")[1] for game, text in texts.items()}
        return render_template(
            "all_rules.html", summaries={game: article(summaries[game]).opening for game in texts}
        )
    if name not in texts:
        abort(404, f"There are no rules of a game {name[:80]!r}.")
    return render_template(
        "rules.html",
        name=name,
        title=game_title(name),
        article=article(with_links(texts[name], _path(name))),
        games=texts,
    )
