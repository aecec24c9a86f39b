"""The command line.

`daily` and `groups` declare what a person can type. They import so
little that `arena --help` and completion take a tenth of a second. `arena NAME` runs the function
NAME of `commands.actions.NAME`, which imports whatever the command needs.
"""
