"""What several parts need and none owns; imports nothing else of ours."""
