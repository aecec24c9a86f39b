"""What results mean: ratings, intervals, and how sure an order is."""
