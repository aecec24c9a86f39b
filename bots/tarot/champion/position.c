#include "position.h"

#include <stdlib.h>

const int MULTIPLIERS[] = {0, 1, 2, 4, 6};

Position new_position(int taker, int leader)
{
    return (Position){.taker = taker, .leader = leader, .led = -1, .best = -1};
}

void count_aside(Position *p, Cards cards)
{
    p->half_points += worth_of(cards);
    p->bouts += size(cards & BOUTS);
}

/* The half points of the Excuse that the taker gets; with 8 or 9 the bout is the taker's.

   It stays with the side that played it, which gives half a point for it where the other side took
   the trick. In the last trick it changes sides, unless it won the trick itself. */
static int excuse_share(int player, int winner, int taker, int last)
{
    int own = player == taker, won = winner == taker;
    if (last && player != winner)
        return own ? 0 : 9;
    if (own == won)
        return 9 * own;
    return own ? 8 : 1;
}

static void take(Position *p)
{
    int winner = (p->leader + p->by) % SEATS, last = ++p->finished == TRICKS, petit = 0, won;
    int ends_chelem = last && p->trick[0] == EXCUSE && p->leader == p->taker
        && p->swept == TRICKS - 1;
    if (ends_chelem)
        winner = p->taker;
    won = winner == p->taker;
    for (int place = 0; place < SEATS; place++) {
        int card = p->trick[place];
        petit |= card == PETIT;
        if (card == EXCUSE) {
            int share = excuse_share((p->leader + place) % SEATS, winner, p->taker, last);
            p->half_points += share;
            p->bouts += share >= 8;
        } else if (won) {
            p->half_points += worth(card);
            p->bouts += (CARD(card) & BOUTS) != 0;
        }
    }
    if (petit && last)
        p->petit = won ? 1 : -1;
    else if (petit && p->finished == TRICKS - 1)
        p->petit_before = won ? 1 : -1;
    if (ends_chelem)
        p->petit = p->petit_before;
    p->swept += won;
    p->leader = winner;
    p->count = p->by = 0;
    p->led = p->best = -1;
}

void play(Position *p, int card)
{
    p->hands[to_act(p)] &= ~CARD(card);
    p->played |= CARD(card);
    p->trick[p->count] = card;
    if (card != EXCUSE) {
        int suit = suit_of(card);
        if (p->led < 0)
            p->led = suit;
        if (card > p->best && (suit == p->led || suit == TRUMPS)) {
            p->best = card;
            p->by = p->count;
        }
    }
    if (++p->count == SEATS)
        take(p);
}

int price(const Position *p, const Stakes *stakes)
{
    static const int NEEDED[] = {112, 102, 82, 72};
    int over = p->half_points - NEEDED[p->bouts], sign = over >= 0 ? 1 : -1;
    int multiplier = MULTIPLIERS[stakes->contract];
    int extra = 10 * multiplier * p->petit + sign * stakes->poignees;
    if (p->swept == TRICKS)
        extra += stakes->chelem ? 400 : 200;
    else if (!p->swept)
        extra -= stakes->defence_chelem ? 400 : 200;
    else
        extra += 200 * stakes->defence_chelem - 200 * stakes->chelem;
    return sign * (25 + (abs(over) + 1) / 2) * multiplier + extra;
}
