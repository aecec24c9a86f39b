"""Reviews of stored games: what each decision cost, judged by what its seat could know."""
