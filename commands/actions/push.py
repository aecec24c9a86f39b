"""`arena push`."""

from __future__ import annotations

import time
from pathlib import Path

from card_arena.accounts.entries import SubmittedUpload, Upload
from card_arena.commands.cli_errors import Stop
from card_arena.commands.other_arena import NotUnderstood, OtherArena, OutOfReach, token_of
from card_arena.commands.printer import say, say_shape
from card_arena.tournament.submissions import HOUSE, read_bot

UNDECIDED = 3
"""The exit code while an upload is pending."""

LOOK_EVERY = 1.0
"""Seconds until the first request for the state of an upload, and at most ..."""

LOOK_AT_LEAST_EVERY = 5.0
"""... until the next one."""

MOST_MISSED = 15
"""The number of requests in a row that may fail while waiting."""


def push(
    bot: Path,
    address: str,
    token: str | None,
    token_file: Path | None,
    team: str,
    include_from: tuple[Path, ...],
    wait: bool,
    as_json: bool,
) -> None:
    """Submit a bot to another arena, and print its state.

    Raises `Rejected` if the bot can't be read, and `Stop` unless it is accepted.
    """
    arena = OtherArena(address, token_of(token, token_file))
    if arena.is_open_line:
        say(f"{arena.address} is not encrypted: others can read your token. Use https.", err=True)
    bundle = read_bot(bot, (HOUSE, *include_from))
    name = bundle.manifest.name
    upload = arena.send(
        SubmittedUpload,
        "uploads",
        files={"bundle": (f"{name}.tar.gz", bundle.archive(), "application/gzip")},
        data={"team": team} if team else {},
    )
    if not as_json:
        again = "" if upload.new else ", the same files as before: nothing has changed"
        say(f"{name} is upload {upload.id} of {upload.team.name} at {arena.address}{again}")
    result = _watched(arena, upload, quiet=as_json) if wait else upload
    if as_json:
        say_shape(result)
    _end(result, name, quiet=as_json)


def _watched(arena: OtherArena, upload: Upload, *, quiet: bool) -> Upload:
    """Wait until an upload is accepted or rejected; print each state, and the log."""
    shown_state, shown, pause, missed = "", "", LOOK_EVERY, 0
    while True:
        if not quiet:
            if (now := _state(upload)) != shown_state:
                say(now)
                shown_state, pause = now, LOOK_EVERY
            _show_log(upload.log, shown)
            shown = upload.log
        if upload.state not in ("waiting", "building"):
            return upload
        time.sleep(pause)
        pause = min(LOOK_AT_LEAST_EVERY, pause * 1.2)
        try:
            upload = arena.get(Upload, "uploads", upload.id)
            missed = 0
        except OutOfReach:
            missed += 1  # the upload is safe, and the arena may be restarting
            if missed > MOST_MISSED:
                raise


def _state(upload: Upload) -> str:
    if upload.state == "waiting":
        others = {0: "it is the next one", 1: "1 is before it"}
        return f"waiting: {others.get(upload.ahead, f'{upload.ahead} are before it')}"
    return upload.state


def _show_log(log: str, shown: str) -> None:
    """Print the new part of a log, whose beginning may have been cut off in between."""
    more = log.removeprefix(shown) if log.startswith(shown) else log
    for line in more.splitlines():
        say(f"  {line}")


def _end(upload: Upload, name: str, *, quiet: bool) -> None:
    if upload.state == "rejected":
        reason = f"{name} was rejected: {upload.reason}"
        raise NotUnderstood(
            reason if quiet else f"{reason}\nUse `arena check` to check it on your machine."
        )
    if upload.state != "accepted":
        raise Stop(
            f"Still pending: {_state(upload)}. Use --wait to wait for the result.", UNDECIDED
        )
    if not quiet:
        say(f"{upload.bot} v{upload.version} is accepted")
        if upload.remarks:
            say(upload.remarks)
