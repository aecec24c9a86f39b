"""Simulated seasons that measure what audits find, and how often they are wrong."""
