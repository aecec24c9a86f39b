"""`python -m card_arena.tests.leaderboard.web.preview`: the picture that others show beside a link.

Its size is the one that Open Graph's readers crop least, 1200 by 630.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Template
from playwright.sync_api import sync_playwright

from card_arena.leaderboard.web import app, card_svg
from card_arena.leaderboard.web.assets import style_sheet
from card_arena.tables.cards import SUITS, Card
from card_arena.tables.scene import Shown

ACES = [Card("A", suit) for suit in SUITS]

HERE = Path(app.__file__).parent
PICTURE = HERE / "static" / "preview.png"
WIDTH, HEIGHT = 1200, 630

FRAME = """
body { margin: 0; width: 1200px; height: 630px; display: grid; place-content: center;
  justify-items: center; gap: 56px; background: #17603f; overflow: hidden; }
.cards.aces { --w: 12.5rem; gap: 0; justify-content: center; }
.aces svg { margin-left: -3.5rem; transform-origin: 50% 130%;
  box-shadow: 0 4px 18px rgb(0 0 0 / 35%); }
.aces svg:nth-child(1) { transform: rotate(-15deg); }
.aces svg:nth-child(2) { transform: rotate(-5deg); }
.aces svg:nth-child(3) { transform: rotate(5deg); }
.aces svg:nth-child(4) { transform: rotate(15deg); }
h1 { color: #fff; font-size: 92px; }
p { margin: 0; color: #d7ece0; font-size: 36px; }
"""


def page() -> str:
    """The picture as a page of its own, with the cards and the sheet of the others."""
    aces = card_svg.row(tuple(map(Shown, ACES)), "aces")
    suits = Template((HERE / "templates" / "_suits.svg").read_text())
    return (
        f"<style>{style_sheet()}{FRAME}</style>"
        f"{suits.render(faces=card_svg.symbols(ACES))}{aces}"
        "<h1>Card Arena</h1><p>where card-playing programs meet</p>"
    )


def draw() -> None:
    """Write the picture."""
    with sync_playwright() as tools:
        browser = tools.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        shown.set_content(page())
        shown.screenshot(path=PICTURE)
        browser.close()
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    draw()
