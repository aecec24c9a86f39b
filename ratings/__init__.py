"""What results mean: ratings, intervals, and the certainty of an order."""
