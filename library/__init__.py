"""The games as a library: states, environments, the solver, matches without a store."""
