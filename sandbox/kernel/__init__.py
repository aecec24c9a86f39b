"""The kernel's part in sandboxes: control groups, the freezer, filters of system calls."""
