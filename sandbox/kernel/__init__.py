"""The kernel's part in boxes: control groups, the freezer, filters of system calls."""
