"""Who plays whom, when, and making it happen."""
