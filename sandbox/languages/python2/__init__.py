"""Python 2 where there is none: its programs are translated at their build and run by python3.

`syntax` turns the text into what Python 3 can parse, with fissix; `meaning` changes its syntax tree
so that it means what it meant in Python 2; `translator` makes the files that python3 runs; and
`runtime` goes beside the bot and has what the changed program calls. All of it runs in the sandbox,
under the sandbox's own python3.
"""
