#!/bin/sh
# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas.
answer() {
    if [ $# -eq 5 ]; then
        if [ "$1" -lt 17 ]; then echo H; else echo S; fi
    elif [ "$2" = discard ]; then
        echo "$3" | cut -d, -f1-6        # at tarot the taker puts six cards away
    else
        first=${3%%,*}
        echo "${first%%..*}"             # "0..13" stands for all numbers from 0 to 13
    fi
}

set -f                                   # no word is a pattern for names of files
if [ $# -gt 0 ]; then
    answer "$@"                          # argv: the question is in the arguments
else
    while read -r line; do               # stdin: a question a line, until the game ends
        case $line in
            "#"*) ;;                     # "# ..." is a notice and wants no answer
            *) answer $line ;;           # no quotes: the line falls apart into its words
        esac
    done
fi
