"""`sets`, which became built in."""

Set, ImmutableSet, BaseSet = set, frozenset, (set, frozenset)
