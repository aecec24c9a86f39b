"""The location of this arena's own files."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder that contains every package: our child processes need it in their `PYTHONPATH`, and in
a checkout it contains `bots/` and `experiments/`."""
