"""What an author submits: read, checked, packed."""
