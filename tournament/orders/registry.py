"""The kinds of orders: an entry each."""

from __future__ import annotations

from tournament.orders import authoring, bots, curation, interventions
from tournament.orders.base import Kind

KINDS = {
    "withdraw": Kind(curation.withdraw, by_author=True),
    "readmit": Kind(curation.readmit, by_author=True),
    "tag": Kind(curation.tag),
    "untag": Kind(curation.untag),
    "activate": Kind(authoring.activate, by_author=True),
    "title": Kind(authoring.title, by_author=True),
    "delete": Kind(authoring.delete, by_author=True),
    "expel": Kind(interventions.expel, interrupts=True),
    "admit": Kind(interventions.admit, interrupts=True),
    "annul": Kind(interventions.annul, interrupts=True),
    "pause": Kind(interventions.pause, interrupts=True),
    "resume": Kind(interventions.resume),
    "move": Kind(bots.move),
    "examine": Kind(bots.examine_again, by_author=True),
}
"""What can be ordered, by the word that stands in the log."""
