#include "rules.h"

enum { LONGEST = 60 }; /* bouts that are played out: with three or more, cards can go in circles */
enum { MUCH = 8, GOOD_TRUMP = 7 /* the nine */, HIGHEST_THROWN = 9 /* the jack */ };

static Cards trumps_of(const State *s) { return suit_cards(s->trump / RANKS); }

/* The lowest plain card, or the lowest trump where there is none. */
static int cheapest(const State *s, Cards cards)
{
    Cards plain = cards & ~trumps_of(s);
    if (!plain)
        return lowest(cards);
    Cards ranks = (plain | plain >> RANKS | plain >> 2 * RANKS | plain >> 3 * RANKS) & suit_cards(0);
    return lowest(plain & rank_cards(lowest(ranks)));
}

int rule_action(const State *s)
{
    Cards hand = s->hands[s->table.to_act], cards;
    int phase = phase_of(s), card;
    if (phase == ATTACK)
        return cheapest(s, hand);
    if (phase == DEFEND) {
        cards = hand & beating(s, s->attacks[s->defended]);
        if (!cards)
            return TAKE;
        card = cheapest(s, cards);
        int spared = card / RANKS == s->trump / RANKS && card % RANKS >= GOOD_TRUMP;
        return spared && s->left_in_talon > MUCH ? TAKE : card;
    }
    cards = hand & s->matching;
    card = cheapest(s, cards);
    if (!s->left_in_talon && !(hand & ~trumps_of(s)))
        return card;
    if (card / RANKS == s->trump / RANKS || (s->left_in_talon && card % RANKS > HIGHEST_THROWN))
        return DONE;
    return card;
}

void play_out(State *s, double values[MOST_SEATS])
{
    int last = s->number + LONGEST, sides = options_of(s)->partners ? 2 : s->table.seats;
    while (s->table.to_act >= 0 && s->number < last)
        durak.apply(s, rule_action(s));
    for (int seat = 0; seat < s->table.seats; seat++)
        values[seat] = s->table.to_act < 0 ? s->table.scores[seat] / (2. * (sides - 1)) : .5;
}
