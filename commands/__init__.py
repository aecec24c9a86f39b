"""The command line.

`for_authors`, `for_organisers` and `for_everybody` declare what a person can type. They import so
little that `arena --help` and completion take a tenth of a second. `arena NAME` runs the function
NAME of `commands.actions.NAME`, which imports whatever the command needs.
"""
