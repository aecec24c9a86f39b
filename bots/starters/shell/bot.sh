#!/bin/sh
# A whole blackjack bot: draws below 17, stands from there on.

# $1 score, $2 hand, $3 visible cards (the dealer's two first, the hidden one as #), $4 stake,
# $5 chips. Choose H (hit), S (stand), D (double down) or "B 25" (bet 25 more).
answer() {
    if [ "$1" -lt 17 ]; then echo H; else echo S; fi
}

if [ $# -gt 0 ]; then
    answer "$@"                      # argv: the question is in the arguments
else
    while read -r line; do           # stdin: a question a line, until the game ends
        case $line in
            "#"*) ;;                 # "# ..." is news and wants no answer
            *) answer $line ;;       # no quotes: the line falls apart into its words
        esac
    done
fi
