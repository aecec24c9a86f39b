"""What is stored, as tables for other programs: CSV, JSON and Parquet."""
