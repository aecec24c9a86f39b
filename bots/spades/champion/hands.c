#include "hands.h"

#include <math.h>

enum { SUITS_OF_13 = 1 << 13, SHORT = 3, FIVE = 3, TEN = 8 };

static const double LIKELY_NIL = .8;    /* the logit from which most would bid it */

static double chance[14][3];            /* that a suit goes round so often, by the own length */
static double side_takes[SUITS_OF_13];  /* aces, kings and queens of a side suit, by its ranks */
static int high_and_long[SUITS_OF_13];  /* spades that are high, or beyond the fourth */
static double cuts[4][4][4][14];        /* by the lengths of the side suits, and spades to cut */
static double side_danger[SUITS_OF_13], spade_danger[SUITS_OF_13];      /* to a nil */

/* The ways to choose some of a number of cards. */
static double ways(int of, int some)
{
    return exp(lgamma(of + 1) - lgamma(some + 1) - lgamma(of - some + 1));
}

/* Work out the chance that both opponents hold over `more` cards of a suit of which we hold
   `own`. */
static double chance_of_more(int own, int more)
{
    int out = 13 - own;
    double sum = 0;
    for (int left = more + 1; left <= out; left++)
        for (int right = more + 1; left + right <= out; right++)
            sum += ways(13, left) * ways(13, right) * ways(13, out - left - right);
    return sum / ways(39, out);
}

static void prepare_suit(int ranks)
{
    int length = __builtin_popcount(ranks), place = 0;
    side_takes[ranks] = 0;
    for (int nth = 0; nth < 3; nth++)
        if (ranks >> (ACE - nth) & 1 && length > nth)
            side_takes[ranks] += chance[length][nth];
    int high = length > 4 ? length - 4 : 0;
    for (int rank = ACE; rank >= JACK; rank--)
        if (ranks >> rank & 1) {
            high += length - place - 1 >= ACE - rank - place;
            place++;
        }
    high_and_long[ranks] = high < length ? high : length;
}

/* What a suit takes from the logit of a nil: how far its three lowest cards exceed 5, 8 and T, and
   in spades every card by its rank. Logistic regression on 60,000 nils played by rule players. */
static void prepare_danger(int ranks)
{
    static const double weights[] = {.11, .19, .43}, squares[] = {.023, .034, 0};
    static const int harmless[] = {FIVE, EIGHT, TEN};
    double side = 0, spade = 0;
    int nth = 0;
    for (int rank = 0; rank <= ACE; rank++) {
        if (!(ranks >> rank & 1))
            continue;
        int excess = nth < 3 && rank > harmless[nth] ? rank - harmless[nth] : 0;
        side += nth < 3 ? weights[nth] * excess + squares[nth] * excess * excess : 0;
        spade += .05 + .0075 * rank * rank + (rank == ACE ? 9 : rank == KING ? 1 : 0) + (nth > 2);
        nth++;
    }
    side_danger[ranks] = side;
    spade_danger[ranks] = spade;
}

/* The best cuts of side suits with these lengths, by the number of spades there are for them. */
static void prepare_cuts(int lengths[3], double best[14])
{
    double values[9];
    int found = 0;
    for (int suit = 0; suit < 3; suit++)
        for (int nth = lengths[suit]; nth < SHORT; nth++) {
            double value = chance[lengths[suit]][nth];
            int at = found++;
            for (; at && values[at - 1] < value; at--)
                values[at] = values[at - 1];
            values[at] = value;
        }
    best[0] = 0;
    for (int spades = 1; spades < 14; spades++)
        best[spades] = best[spades - 1] + (spades <= found ? values[spades - 1] : 0);
}

void prepare_hands(void)
{
    for (int own = 0; own < 14; own++)
        for (int more = 0; more < 3; more++)
            chance[own][more] = chance_of_more(own, more);
    for (int ranks = 0; ranks < SUITS_OF_13; ranks++) {
        prepare_suit(ranks);
        prepare_danger(ranks);
    }
    for (int a = 0; a <= SHORT; a++)
        for (int b = 0; b <= SHORT; b++)
            for (int c = 0; c <= SHORT; c++)
                prepare_cuts((int[]){a, b, c}, cuts[a][b][c]);
}

enum { CLUBS, DIAMONDS, HEARTS, SPADES };

/* The ranks that a hand has of a suit, as 13 bits. */
static int ranks_of(Cards hand, int suit) { return hand >> 13 * suit & 0x1FFF; }

static int clipped_length(Cards hand, int suit)
{
    int length = count(ranks_of(hand, suit));
    return length < SHORT ? length : SHORT;
}

double regular_takes(Cards hand)
{
    int spades = ranks_of(hand, SPADES), length = __builtin_popcount(spades);
    int sure = (spades >> ACE & 1) + (spades >> KING & 1 && length > 1);
    const double *best = cuts[clipped_length(hand, CLUBS)][clipped_length(hand, DIAMONDS)]
                             [clipped_length(hand, HEARTS)];
    double as_cuts = sure + best[length - sure], as_spades = high_and_long[spades];
    return side_takes[ranks_of(hand, CLUBS)] + side_takes[ranks_of(hand, DIAMONDS)]
         + side_takes[ranks_of(hand, HEARTS)] + (as_cuts > as_spades ? as_cuts : as_spades);
}

double nil_logit(Cards hand)
{
    return 2 - side_danger[ranks_of(hand, CLUBS)] - side_danger[ranks_of(hand, DIAMONDS)]
         - side_danger[ranks_of(hand, HEARTS)] - spade_danger[ranks_of(hand, SPADES)];
}

double fair_bid(const State *s, Cards hand, int seat)
{
    double bid = regular_takes(hand) - .3;
    for (int before = first_seat(s); before != seat; before = next_of(before))
        bid -= .15 * (s->bids[before] - 2.64);
    return bid;
}

int likely_bid(const State *s, Cards hand, int seat)
{
    if (nil_logit(hand) > LIKELY_NIL && s->bids[partner_of(seat)] != NIL)
        return NIL;
    double bid = fair_bid(s, hand, seat);
    return bid < 1 ? 1 : (int)(bid + .5);
}
