"""Clusters of real processes: a scheduler, hosts with slots, and a runner."""
