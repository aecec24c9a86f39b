#include "declare.h"

#include <stdbool.h>

static const int RUNS[CLASSES] = {20, 50, 100};
static const int FOURS[8] = {
    [TEN] = 100, [QUEEN] = 100, [KING] = 100, [ACE] = 110, [NINE] = 140, [JACK] = 200};
static const int FOURS_AT_NO_TRUMP[8] = {
    [TEN] = 100, [JACK] = 100, [QUEEN] = 100, [KING] = 100, [ACE] = 190};
static const int FOURS_FROM_LOWEST[8] = {
    [QUEEN] = 0, [KING] = 1, [TEN] = 2, [ACE] = 3, [NINE] = 4, [JACK] = 5};

enum { BELOTE = 20, EVERY_SUIT = 0x01010101 };

static void announce(Declared *found, int class, int value, int height)
{
    const int strength = (class + 1) << 16 | height;
    found->said[class]++;
    found->value += value;
    if (strength > found->best)
        found->best = strength;
}

/* The runs of what is left when some cards count elsewhere. Of equal heights trumps are better. */
static void announce_runs(Declared *found, Cards hand, int strain)
{
    for (int suit = CLUBS; suit <= SPADES; suit++) {
        const unsigned ranks = hand >> 8 * suit & 0xFF;
        if (!(ranks & ranks >> 1 & ranks >> 2))
            continue;
        for (int rank = SEVEN, length = 0; rank <= ACE + 1; rank++) {
            if (ranks >> rank & 1) {
                length++;
                continue;
            }
            if (length >= 3) {
                const int class = length == 3 ? TIERCE : length == 4 ? FIFTY : HUNDRED;
                announce(found, class, RUNS[class], 2 * rank + (suit == strain));
            }
            length = 0;
        }
    }
}

/* A card counts only once. So each of the fours, and the belote, is taken or left, and runs are
   made of the rest: the most points win, and of equal ones fewer cards. */
Declared declared_of(Cards hand, int strain)
{
    const int *fours = strain == NO_TRUMP ? FOURS_AT_NO_TRUMP : FOURS;
    Cards sets[3];
    int ranks[3], count = 0;
    const Cards everywhere = hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xFF;
    for (int rank = SEVEN; everywhere && rank <= ACE; rank++)
        if (everywhere >> rank & 1 && fours[rank]) {
            ranks[count] = rank;
            sets[count++] = (Cards)EVERY_SUIT << rank;
        }
    const Cards pair = strain == NO_TRUMP ? 0 : (bit(KING) | bit(QUEEN)) << 8 * strain;
    const bool belote = pair && (hand & pair) == pair;
    if (belote)
        sets[count] = pair;

    Declared most = {.value = -1};
    int most_cards = 0;
    for (int taken = 0; taken < 1 << (count + belote); taken++) {
        Declared found = {.value = 0};
        Cards left = hand;
        bool apart = true;
        for (int one = 0; one < count + belote; one++) {
            if (!(taken >> one & 1))
                continue;
            apart = apart && (left & sets[one]) == sets[one];
            left &= ~sets[one];
            if (one == count)
                found.belote = BELOTE;
            else
                announce(&found, FOUR, fours[ranks[one]],
                         fours[ranks[one]] << 4 | FOURS_FROM_LOWEST[ranks[one]]);
        }
        if (!apart)
            continue;
        announce_runs(&found, left, strain);
        const int cards = 3 * found.said[TIERCE] + 4 * found.said[FIFTY] + 5 * found.said[HUNDRED]
            + count_of(hand & ~left);
        const int better = found.value + found.belote - most.value - most.belote;
        if (better > 0 || (better == 0 && cards < most_cards)) {
            most = found;
            most_cards = cards;
        }
    }
    return most;
}

void award(const Declared by_seat[4], int first, int points[2])
{
    int best = 0, side = -1;
    for (int step = 0; step < 4; step++) {
        const int seat = (first + step) & 3;
        if (by_seat[seat].best > best) {
            best = by_seat[seat].best;
            side = seat & 1;
        }
    }
    points[0] = points[1] = 0;
    for (int seat = 0; seat < 4; seat++)
        points[seat & 1] += by_seat[seat].belote + ((seat & 1) == side ? by_seat[seat].value : 0);
}
