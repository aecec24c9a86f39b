"""Bundles of authors: reading, checking and packing them."""
