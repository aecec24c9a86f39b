"""Runs untrusted programs; knows no games."""
