#!/bin/sh
# Random: does anything that is allowed, each kind of answer equally often. It raises by ten at
# most, or it would lose everything in its first hands and show nothing more.

# $1 score, $2 hand, $3 visible cards, $4 stake, $5 chips
hand=$2 stake=$4 chips=$5

below() { # a random number from 0 to $1 - 1
    echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

set -- H S
# A double must be the first answer of a hand: two cards, and nothing but the buy-in at stake.
if [ ${#hand} -eq 2 ] && [ "$stake" -eq 10 ] && [ "$chips" -ge 10 ]; then set -- "$@" D; fi
most=$((chips < 10 ? chips : 10))
if [ "$most" -ge 1 ]; then set -- "$@" "B $(($(below "$most") + 1))"; fi

shift "$(below $#)"
echo "$1"
