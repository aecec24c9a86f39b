"""A toy of everything that can be added to the arena, and the kit that tries each one."""
