"""What people have the arena do: orders, which the program that plays carries out."""
