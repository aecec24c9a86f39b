"""Pages looked at in a real browser, one after another in the same window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request


@contextmanager
def visit(
    browser: Browser,
    address: str,
    path: str,
    *,
    width: int = 1280,
    height: int = 800,
    scheme: str = "light",
    scripts: bool = True,
) -> Iterator[Page]:
    """Look at a page; fails where the browser complains or anybody else is asked for anything.

    Visits share a window: a new one costs three times as much as a page. The site keeps nothing in
    the browser, so the next page is shown as if it were the first.
    """
    page = _window(browser, scripts)
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    if page.url.partition("#")[0] == (address + path).partition("#")[0]:
        page.goto("about:blank")  # or the browser would only scroll
    complaints: list[str] = []

    def said(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    def failed(error: Error) -> None:
        complaints.append(str(error))

    def asked(request: Request) -> None:
        if not request.url.startswith(address):
            complaints.append(request.url)

    heard = {"console": said, "pageerror": failed, "request": asked}
    for event, listener in heard.items():
        page.on(event, listener)
    try:
        answer = page.goto(address + path)
        assert answer is not None
        if answer.status == 404:
            complaints.clear()  # the browser notes the status of what we asked for
        yield page
        assert complaints == []
        assert page.context.cookies() == []
    finally:
        for event, listener in heard.items():
            page.remove_listener(event, listener)
        page.mouse.move(0, 0)


def on_a_phone_and_on_a_desktop(page: Page) -> Iterator[str]:
    """Show a page that is open on a small dark screen, then on a large light one; say on which."""
    for width, scheme in ((360, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield f"{width} {scheme}"


@cache
def _window(browser: Browser, scripts: bool) -> Page:
    """The window of a browser in which pages run scripts, or the one in which they can't."""
    return browser.new_context(java_script_enabled=scripts).new_page()


SPILLS = """() => [...document.querySelectorAll(".reflow td, .reflow th")]
  .filter((cell) => cell.clientWidth && cell.scrollWidth > cell.clientWidth + 1)
  .map((cell) => cell.textContent)"""
"""The cells whose text reaches into the next one."""


def fits(page: Page) -> bool:
    """Say whether the page as a whole needs no sideways scrolling, nor any cell more room."""
    spilling = page.evaluate(SPILLS)
    assert not spilling, spilling
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
