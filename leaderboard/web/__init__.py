"""The leaderboard's pages: `app.create_app` makes the site, `serve.serve` serves it."""
