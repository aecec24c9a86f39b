"""Where this arena's own files are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder that every package lies in: what a process of ours that is started anew needs in its
`PYTHONPATH`, and in a checkout the home of `bots/` and `experiments/`."""
