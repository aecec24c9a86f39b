"""What the commands do: `arena NAME` is the function NAME in the module NAME."""
