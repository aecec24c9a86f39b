"""What runs in a box, under the box's own python3: the standard library and nothing else."""
