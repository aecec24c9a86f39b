"""Nonces: a public value made of texts that authors chose, each known by its hash alone at first.

An author hands in the SHA-256 of a text with a bot. When the season begins, all hashes go into its
manifest; then everybody shows the text. As long as one author kept it secret until then, nobody
could know the value before. Whoever shows last can still choose between two values, by showing or
not; and an organiser who leaves out what was shown is found by its author alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from common.canonical_json import sha256
from common.moments import from_iso
from leaderboard.proof.ledger import Entry
from leaderboard.proof.public_value import LONGEST, BadPublicValue

_HASH = re.compile(r"[0-9a-f]{64}")


def checked_hash(text: str) -> str:
    """The hash of a nonce as it is stored; raises `BadPublicValue`."""
    found = text.strip().lower()
    if not _HASH.fullmatch(found):
        raise BadPublicValue(
            f"{text[:80]!r} is no SHA-256 of a nonce: expected 64 hexadecimal digits, such as"
            " `printf %s 'YOUR TEXT' | sha256sum` prints"
        )
    return found


def checked_nonce(bot: str, text: str, source: Mapping[str, Any]) -> str:
    """A nonce that was shown, if it is the one that was handed in; raises `BadPublicValue`."""
    if source["source"] != "nonces":
        raise BadPublicValue("this season waits for no nonces: expected one value")
    if bot not in source["hashes"]:
        raise BadPublicValue(
            f"no nonce of {bot[:80]!r} went into this season: expected one of"
            f" {', '.join(sorted(source['hashes']))}"
        )
    if not text.isascii() or not text.isprintable() or not 1 <= len(text) <= LONGEST:
        raise BadPublicValue(
            f"{text[:80]!r} can't be a nonce: expected 1 to {LONGEST} printable ASCII characters"
        )
    if sha256(text) != source["hashes"][bot]:
        raise BadPublicValue(
            f"that is not the nonce of {bot}: its SHA-256 is {sha256(text)}, but"
            f" {source['hashes'][bot]} was handed in (`printf %s` hashes no line feed, `echo` does)"
        )
    return text


def value_of(shown: Mapping[str, str]) -> str:
    """The public value: the SHA-256 of a line for each bot, in order of name, with its nonce."""
    return sha256("".join(f"{bot} {shown[bot]}\n" for bot in sorted(shown)))


def shown_in(ledger: Sequence[Entry], season: int) -> dict[str, str]:
    """The nonces of a season that a ledger tells of, by bot."""
    return {
        str(entry["bot"]): str(entry["nonce"])
        for entry in ledger
        if entry.kind == "nonce" and entry.season == season
    }


def wrong_nonces(source: Mapping[str, Any], ledger: Sequence[Entry], season: int) -> Iterator[str]:
    """Say what is wrong with the nonces that a ledger tells of, and the value made of them."""
    told = [entry for entry in ledger if entry.season == season]
    kinds = [entry.kind for entry in told]
    shown: dict[str, str] = {}
    for entry in told:
        if entry.kind != "nonce":
            continue
        bot, text = str(entry["bot"]), str(entry["nonce"])
        if bot in shown:
            yield f"the ledger tells twice of a nonce of {bot}"
        shown[bot] = text
        handed_in = source["hashes"].get(bot)
        if handed_in is None:
            yield f"a nonce of {bot} was put in: by the manifest none was handed in"
        elif not text.isascii() or sha256(text) != handed_in:
            yield f"the nonce of {bot} was swapped: its SHA-256 is not the {handed_in} handed in"
    if "value" not in kinds:
        return
    made = told[kinds.index("value")]
    if "nonce" in kinds[kinds.index("value") :]:
        yield "a nonce was shown after the public value was made"
    missing = sorted({*source["hashes"]} - {*shown})
    left_out = [entry["bots"] for entry in told if entry.kind == "unshown"]
    if left_out != [missing] * bool(missing):
        yield (
            "a nonce was dropped: the ledger tells of none, and not that it was left out, of"
            f" {', '.join(missing) or 'nobody'}"
        )
    if missing and not _is_over(source["until"], made["time"]):
        yield (
            f"the public value was made before {source['until']}, when"
            f" {', '.join(missing)} could still have shown a nonce"
        )
    lines = {bot: text for bot, text in shown.items() if f"{bot}{text}".isascii()}
    if made["value"] != value_of(lines):
        yield f"the public value is {made['value']}, but the nonces give {value_of(lines)}"


def _is_over(until: str, time: object) -> bool:
    """Whether a moment, as a ledger has it, is at `until` or after."""
    try:
        return from_iso(str(time)) >= from_iso(until)
    except (ValueError, TypeError):  # no moment, or one without a time zone
        return False
