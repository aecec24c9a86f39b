/* A deal being played: legal cards, tricks, and what it comes to. */

#ifndef POSITION_H
#define POSITION_H

#include "cards.h"

enum { SEATS = 3, HAND = 24, TRICKS = 24, DOG = 6 };
enum { PASS, PETITE, GARDE, SANS, CONTRE };                 /* the contracts, rising */

/* What a point counts, by contract. */
extern const int MULTIPLIERS[];

/* What is played for. `poignees` is the sum of all that were shown. */
typedef struct {
    int contract, poignees, chelem, defence_chelem;
} Stakes;

/* Three hands, the trick on the table, and the taker's gains so far, in half points.

   `trick` has `count` cards; `led` is the suit to follow, -1 before there is one; `best` is the
   card that takes the trick so far, and lies at `by`. `swept` counts the taker's tricks, of
   `finished`. `petit` is 1 or -1 once the taker or the defence has the petit home. `discard` is
   what the taker has put away, of which the others see the trumps. */
typedef struct {
    Cards hands[SEATS], played, discard;
    int taker, leader, count, trick[SEATS], led, best, by;
    int half_points, bouts, swept, finished, petit, petit_before;
} Position;

/* A deal before its first card: nobody has any cards yet. */
Position new_position(int taker, int leader);

static inline int to_act(const Position *p)
{
    int seat = p->leader + p->count;
    return seat < SEATS ? seat : seat - SEATS;
}

/* The cards that the seat to act may play. */
static inline Cards legal(const Position *p)
{
    Cards hand = p->hands[to_act(p)], held, over;
    if (p->led < 0)
        return hand;
    if (p->led < TRUMPS && (held = hand & OF_SUIT(p->led)))
        return held | (hand & CARD(EXCUSE));
    if (!(held = hand & ALL_TRUMPS))
        return hand;
    over = held & above(p->best);
    return (over ? over : held) | (hand & CARD(EXCUSE));
}

/* Cards of these that would take the trick from the ones that lie there; one must lie there. */
static inline Cards winning(const Position *p, Cards cards)
{
    Cards suits = p->led < TRUMPS ? OF_SUIT(p->led) | ALL_TRUMPS : ALL_TRUMPS;
    return cards & suits & above(p->best);
}

/* Count cards for the taker that were put aside: its discard, or the dog. */
void count_aside(Position *p, Cards cards);

/* Put a card on the table, out of the hand of the seat to act where it is there. */
void play(Position *p, int card);

/* What a poignée of this number of cards is worth. */
static inline int poignee_worth(int cards)
{
    return cards >= 18 ? 40 : cards >= 15 ? 30 : cards ? 20 : 0;
}

/* What each defender pays the taker when all cards are played; negative: what it gets. */
int price(const Position *p, const Stakes *stakes);

/* What a seat scores by that price. */
static inline int score(int price, int seat, int taker)
{
    return seat == taker ? 2 * price : -price;
}

#endif
