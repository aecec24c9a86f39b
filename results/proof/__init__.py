"""What a season publishes so that anybody can check it: its manifest, its ledger, one file."""
