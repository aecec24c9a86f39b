"""Settings: a tournament as its organiser describes it, read from one YAML file."""

from tournament.settings.files import (
    FILES,
    NoTournament,
    changed,
    read_file,
    read_folder,
    read_settings,
)
from tournament.settings.model import Settings, playable, settings_of, thaw
from tournament.settings.parts import ClockFields, LimitsFields, StrikesFields, Tagged

__all__ = [
    "FILES",
    "ClockFields",
    "LimitsFields",
    "NoTournament",
    "Settings",
    "StrikesFields",
    "Tagged",
    "changed",
    "playable",
    "read_file",
    "read_folder",
    "read_settings",
    "settings_of",
    "thaw",
]
