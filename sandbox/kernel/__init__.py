"""What the kernel does for boxes: control groups, the freezer, filters of system calls."""
