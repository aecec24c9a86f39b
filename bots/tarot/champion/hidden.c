#include "hidden.h"

static void learn_from_card(Hidden *hidden, int seat, int card, int led, int best)
{
    int suit = suit_of(card);
    if (suit != led)
        hidden->may[seat] &= ~suited(led);
    if (suit != TRUMPS)
        hidden->may[seat] &= ~ALL_TRUMPS;
    else if (card < best)
        hidden->may[seat] &= ~(ALL_TRUMPS & above(best));
}

/* A seat that does not follow is void; one that does not go over a trump has none above it. */
static void learn_from_trick(Hidden *hidden, const Trick *trick)
{
    int led = -1, best = -1;
    for (int place = 0; place < trick->count; place++) {
        int card = trick->cards[place], suit = suit_of(card);
        if (card == EXCUSE)
            continue;
        if (led < 0)
            led = suit;
        else if (suit != led || suit == TRUMPS)
            learn_from_card(hidden, (trick->leader + place) % SEATS, card, led, best);
        if (suit == TRUMPS && card > best)
            best = card;
    }
}

/* Kings and bouts are never put away, and trumps are shown. Where trumps were, there were too few
   other cards: the taker has put away all that it had but kings. */
static void learn_from_dog(Hidden *hidden, const Question *q)
{
    hidden->may[ASIDE] &= ~(KINGS | BOUTS | ALL_TRUMPS);
    hidden->may[SEATS - q->taker - q->seat] &= ~q->dog;
    if (q->discard)
        hidden->may[q->taker] &= KINGS | BOUTS | ALL_TRUMPS;
}

/* The cards shown are there; with the Excuse among them there were no other trumps. */
static void learn_from_poignee(Hidden *hidden, int seat, Cards shown)
{
    for (int place = 0; place < PLACES; place++)
        if (place != seat)
            hidden->may[place] &= ~shown;
    if (shown & CARD(EXCUSE))
        hidden->may[seat] &= ~(ALL_TRUMPS & ~shown);
}

Hidden conclude(const Question *q)
{
    Hidden hidden = {.room = {0}};
    Cards seen = q->hand | q->discard;
    int owns_discard = q->taker == q->seat && takes_dog(q->contract);
    for (int seat = 0; seat < SEATS; seat++) {
        Cards played = with_played(q, seat, 0);
        seen |= played;
        if (seat != q->seat)
            hidden.room[seat] = HAND - size(played);
    }
    if (!owns_discard)
        hidden.room[ASIDE] = DOG - size(q->discard);
    for (int place = 0; place < PLACES; place++)
        if (hidden.room[place])
            hidden.may[place] = ALL_CARDS & ~seen;
    if (q->taker >= 0 && takes_dog(q->contract) && !owns_discard)
        learn_from_dog(&hidden, q);
    for (int seat = 0; seat < SEATS; seat++)
        if (q->shown[seat])
            learn_from_poignee(&hidden, seat, q->shown[seat]);
    for (int i = 0; i < q->tricks_begun; i++)
        learn_from_trick(&hidden, &q->tricks[i]);
    return hidden;
}
