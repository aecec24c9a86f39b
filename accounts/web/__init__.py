"""The pages of people with an account, beside those that everybody reads."""
