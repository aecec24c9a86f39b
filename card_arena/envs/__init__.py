"""The games in the shapes that learning libraries expect; each file needs the library it names.

`pip install '.[learning]'` installs numpy, Gymnasium and PettingZoo; OpenSpiel is `open_spiel`.
"""
