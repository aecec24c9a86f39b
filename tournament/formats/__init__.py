"""Who may meet whom next: a file for each format."""
