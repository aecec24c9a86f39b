"""Read the files of an archive."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any


def unpacked(page: str) -> dict[str, Any]:
    """What is packed in a page; nothing where it isn't."""
    found = re.search('id="packed">(.*?)<', page)
    return json.loads(zlib.decompress(base64.b64decode(found[1]), -15)) if found else {}


def whole(archive: Path, file: Path) -> str:
    """A page with what is packed in it."""
    text = file.read_text("utf-8")
    shared = (archive / "static" / "shared.js").read_text("utf-8")
    lines = json.loads(shared[shared.index("{") : shared.rindex("}") + 1])["lines"]
    main = unpacked(text).get("main", "")
    return text + re.sub("[\ue200-\uf8ff]", lambda c: lines[ord(c[0]) - 0xE200] + "\n", main)
