"""A picture that a season's format draws: plain data, stored with the standings.

Pages know kinds of pictures and no formats. A kind is a dataclass in a file of this package, and a
template of the same name in `leaderboard/web/templates/panels`, which is given the picture's data
and the standings' lines by version id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture; versions stand in it by their ids."""

    kind: ClassVar[str]
    """Its kind: the name of its file and of its template."""

    def to_data(self) -> Mapping[str, Any]:
        """Convert to plain data, exactly as it comes back from the store."""
        data: dict[str, Any] = json.loads(json.dumps({"kind": self.kind, **asdict(self)}))
        return data
