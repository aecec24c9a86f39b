"""The version of the arena; the package is built from this line."""

__version__ = "0.1.0"
