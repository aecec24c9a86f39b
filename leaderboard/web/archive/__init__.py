"""The whole site as files that any server can serve, and a browser alone can read."""
