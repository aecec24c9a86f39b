#include "rules.h"

enum { LONGEST = 60 }; /* bouts that are played out: with three or more, cards can go in circles */
enum { HIGHEST_THROWN = 9 /* the jack */ };

/* The lowest plain card, or the lowest trump where there is none. */
static int cheapest(Cards cards, Cards trumps)
{
    Cards plain = cards & ~trumps;
    if (!plain)
        return lowest(cards);
    Cards ranks = plain | plain >> RANKS | plain >> 2 * RANKS | plain >> 3 * RANKS;
    return lowest(plain & rank_cards(lowest(ranks)));
}

int rule_action(const State *s)
{
    Cards hand = s->hands[s->table.to_act], trumps = suit_cards(s->trump / RANKS), cards = hand;
    int phase = phase_of(s), card;
    if (phase == ATTACK)
        return cheapest(hand, trumps);
    if (phase == DEFEND) {
        cards &= beating(s, s->attacks[s->defended]);
        if (cards & s->matching & ~trumps)
            cards &= s->matching & ~trumps;
        return cards ? cheapest(cards, trumps) : TAKE;
    }
    card = cheapest(hand & s->matching, trumps);
    if (!s->left_in_talon)
        return trumps >> card & 1 && hand & ~trumps ? DONE : card;
    return trumps >> card & 1 || card % RANKS > HIGHEST_THROWN ? DONE : card;
}

int most_points(const State *s) { return options_of(s)->partners ? 2 : 2 * s->table.seats - 2; }

void play_out(State *s, double values[MOST_SEATS])
{
    int last = s->number + LONGEST;
    while (s->table.to_act >= 0 && s->number < last)
        durak.apply(s, rule_action(s));
    for (int seat = 0; seat < s->table.seats; seat++)
        values[seat] = s->table.to_act < 0 ? s->table.scores[seat] / (double)most_points(s) : .5;
}
