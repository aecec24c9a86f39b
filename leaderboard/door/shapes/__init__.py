"""What programs read of people and of what they do; `leaderboard.shapes` has all the rest."""
