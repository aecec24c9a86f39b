"""What commands print with `--json`: here what no page shows, in `leaderboard` the rest."""
