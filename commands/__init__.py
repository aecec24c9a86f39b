"""What a person types, handed to the parts that do it: a file for each sort of person."""
