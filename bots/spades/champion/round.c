#include "round.h"

Cards legal_cards(const Round *r)
{
    Cards hand = r->hands[r->turn];
    Cards fit = r->laid ? of_suit(suit_of(r->trick[0])) : PACK;
    if (!r->laid && !(r->played & of_suit(SPADES)))
        fit ^= of_suit(SPADES);
    return hand & fit ? hand & fit : hand;
}

int are_equals(const Round *r, int a, int b)
{
    Cards between = a < b ? higher(a) & ~higher(b) : higher(b) & ~higher(a);
    Cards others = PACK ^ r->played ^ r->hands[r->turn];
    if (r->laid)
        others |= only(r->best);
    return suit_of(a) == suit_of(b) && !(between & others);
}

void play_card(Round *r, int card)
{
    int seat = r->turn;
    if (!r->laid) {
        if (is_spade(card) && !(r->played & of_suit(SPADES)))
            r->lacks[seat] |= PACK ^ of_suit(SPADES);
        r->leader = seat;
    } else if (suit_of(card) != suit_of(r->trick[0])) {
        r->lacks[seat] |= of_suit(suit_of(r->trick[0]));
    }
    if (!r->laid || beats(card, r->best)) {
        r->best = card;
        r->winner = seat;
    }
    r->trick[r->laid++] = card;
    r->hands[seat] &= ~only(card);
    r->played |= only(card);
    if (r->laid < 4) {
        r->turn = next_of(seat);
    } else {
        r->took[r->winner]++;
        r->turn = r->winner;
        r->laid = 0;
    }
}

int missing(const Round *r, int seat)
{
    int short_of = 0;
    for (int i = 0; i < 2; i++, seat = partner_of(seat))
        if (r->bids[seat])
            short_of += r->bids[seat] - r->took[seat];
    return short_of > 0 ? short_of : 0;
}

Made made_by(const Round *r, int seat)
{
    Made made = {0, 0};
    int contract = 0, helping = 0;
    for (int i = 0; i < 2; i++, seat = partner_of(seat)) {
        if (r->bids[seat]) {
            contract += r->bids[seat];
            helping += r->took[seat];
        } else {
            int stake = r->blind[seat] ? 200 : 100;
            made.points += r->took[seat] ? -stake : stake;
            made.bags += r->took[seat];
        }
    }
    if (helping < contract) {
        made.points -= 10 * contract;
    } else {
        made.points += 10 * contract;
        made.bags += helping - contract;
    }
    made.points += made.bags;
    return made;
}
