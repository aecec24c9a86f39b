"""Code that several parts need and none owns; it imports no other part of the arena."""
