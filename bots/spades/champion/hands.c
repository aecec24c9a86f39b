#include "hands.h"

#include <math.h>

enum { SUITS_OF_13 = 1 << 13, CLUBS = 0, SPADES = 3, FIVE = 3, TEN = 8 };

static const double
    USUAL_BID = 2.64,
    LIKELY_NIL = 0;     /* the logit from which most would bid it */

/* Tricks by rank, from the ten on, in a side suit and in spades, for every spade, and for each of
 * up to three spades in a hand with a void or a singleton. Least squares on 5,000 bids. */
static const double SIDE_HONOURS[] = {0, 0, .25, .6, .81}, A_SPADE = .51,
    SPADE_HONOURS[] = {.1, .28, .46, .77, .9}, CUTS[] = {.14, .07};

static double side_tricks[SUITS_OF_13], spade_tricks[SUITS_OF_13];      /* by the ranks held */
static double side_danger[SUITS_OF_13], spade_danger[SUITS_OF_13];      /* to a nil */

static void prepare_tricks(int ranks)
{
    side_tricks[ranks] = 0;
    spade_tricks[ranks] = A_SPADE * __builtin_popcount(ranks);
    for (int rank = TEN; rank <= ACE; rank++)
        if (ranks >> rank & 1) {
            side_tricks[ranks] += SIDE_HONOURS[rank - TEN];
            spade_tricks[ranks] += SPADE_HONOURS[rank - TEN];
        }
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

void prepare_hands(void)
{
    for (int ranks = 0; ranks < SUITS_OF_13; ranks++) {
        prepare_tricks(ranks);
        prepare_danger(ranks);
    }
}

/* The ranks that a hand has of a suit, as 13 bits. */
static int ranks_of(Cards hand, int suit) { return hand >> 13 * suit & 0x1FFF; }

double nil_logit(Cards hand)
{
    double logit = 2 - spade_danger[ranks_of(hand, SPADES)];
    for (int suit = CLUBS; suit < SPADES; suit++)
        logit -= side_danger[ranks_of(hand, suit)];
    return logit;
}

/* Whether a seat's turn to bid is before that of another. */
static int bids_before(const State *s, int seat, int other)
{
    return ((seat - first_seat(s)) & 3) < ((other - first_seat(s)) & 3);
}

double fair_bid(const State *s, Cards hand, int seat)
{
    int spades = ranks_of(hand, SPADES), partner = partner_of(seat);
    int held = __builtin_popcount(spades), cutting = held < 3 ? held : 3;
    double bid = spade_tricks[spades] - .92;
    for (int suit = CLUBS; suit < SPADES; suit++) {
        int ranks = ranks_of(hand, suit), length = __builtin_popcount(ranks);
        bid += side_tricks[ranks] + (length < 2 ? cutting * CUTS[length] : 0);
    }
    for (int other = 0; other < 4; other++)
        bid += bids_before(s, other, seat) && s->bids[other] == NIL ? .27 : 0;
    return bid - (bids_before(s, partner, seat) ? .2 * (s->bids[partner] - USUAL_BID) : 0);
}

double nil_bid_logit(const State *s, Cards hand, int seat)
{
    int partner = partner_of(seat);
    double logit = 1.34 + 1.15 * nil_logit(hand) - .94 * fair_bid(s, hand, seat);
    return logit - (bids_before(s, partner, seat) && s->bids[partner] == NIL ? 2.2 : 0);
}

int likely_bid(const State *s, Cards hand, int seat)
{
    if (nil_bid_logit(s, hand, seat) > LIKELY_NIL && s->bids[partner_of(seat)] != NIL)
        return NIL;
    double bid = fair_bid(s, hand, seat);
    return bid < 1 ? 1 : (int)(bid + .5);
}
