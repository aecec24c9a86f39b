"""The link of an invitation."""

from __future__ import annotations

import re

LINK = re.compile(r"^(.*) <(.*)>: (http\S+/sign-in/\S+)$", re.MULTILINE)
