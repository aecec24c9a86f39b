#include "rules.h"

int hand_value(Cards hand)
{
    static const int HONOURS[14] = {[10] = 1, [11] = 2, [12] = 3, [13] = 6};
    int trumps = size(hand & ALL_TRUMPS), card;
    int value = 2 * trumps + 2 * (trumps > 8 ? trumps - 8 : 0);
    if (hand & CARD(TWENTY_ONE))
        value += 10;
    if (hand & CARD(EXCUSE))
        value += 8;
    if (hand & CARD(PETIT))
        value += 3 + (trumps < 10 ? trumps - 1 : 9);
    for (int suit = CLUBS; suit < TRUMPS; suit++) {
        int length = size(hand & OF_SUIT(suit));
        value += length == 0 ? 6 : length == 1 ? 3 : 0;
    }
    EACH (card, hand & ALL_PLAIN)
        value += HONOURS[card % 14];
    return value;
}

int contract_worth(int value)
{
    return value >= 59 ? CONTRE : value >= 51 ? SANS : value >= 41 ? GARDE
        : value >= 36 ? PETITE : PASS;
}

Cards may_be_put_away(Cards hand)
{
    Cards plain = hand & ALL_PLAIN & ~KINGS;
    return size(plain) >= DOG ? plain : plain | (hand & ALL_TRUMPS & ~BOUTS);
}

Cards discard_by_rule(Cards hand, Cards may_go)
{
    Cards chosen = 0;
    int wanted = DOG;
    if (may_go & ALL_TRUMPS) {          /* all the others must go, and the lowest trumps */
        for (Cards left = may_go; wanted; wanted--, left &= left - 1)
            chosen |= CARD(lowest(left));
        return chosen;
    }
    for (int kept = 0; kept < 2; kept++)            /* suits without their king, then with it */
        for (int length = 1; length <= 14; length++)
            for (int suit = CLUBS; suit < TRUMPS; suit++) {
                Cards held = hand & OF_SUIT(suit);
                if (size(held) != length || ((held & KINGS) != 0) != kept)
                    continue;
                for (held &= may_go; held && wanted; wanted--) {
                    chosen |= CARD(highest(held));
                    held &= ~CARD(highest(held));
                }
            }
    return chosen;
}

Cards poignee_by_rule(Cards hand)
{
    Cards trumps = hand & ALL_TRUMPS, shown = 0;
    for (int wanted = 15; wanted >= 13; wanted -= 2) {
        if (size(trumps) + 1 == wanted && hand & CARD(EXCUSE))
            return trumps | CARD(EXCUSE);
        if (size(trumps) < wanted)
            continue;
        for (; wanted; wanted--, trumps &= trumps - 1)
            shown |= CARD(lowest(trumps));
        return shown;
    }
    return 0;
}

/* What is given away with a card: its points first, then whether it is a trump, then its height. */
static inline int cost(int card)
{
    return worth(card) << 8 | (card >= PETIT ? 0x80 | (card - PETIT) : card % 14);
}

static int dearest(Cards cards)
{
    int card, best = -1, most = -1;
    EACH (card, cards)
        if (cost(card) > most) {
            most = cost(card);
            best = card;
        }
    return best;
}

static int cheapest(Cards cards)
{
    int card, best = EXCUSE, least = 1 << 16;
    EACH (card, cards)
        if (cost(card) < least) {
            least = cost(card);
            best = card;
        }
    return best;
}

/* The taker draws trumps while it has more of them than the others. Else an honour that nobody
   can beat is brought home, or a long suit is led from the bottom. */
static int lead(Cards hand, Cards unseen, int alone)
{
    Cards trumps = hand & ALL_TRUMPS, safe = 0;
    int others = size(unseen & ALL_TRUMPS), best = -1, longest = 0, least = 0, card, most = 0;
    if (alone && 0 < others && others < size(trumps))
        return highest(trumps);
    if (!(hand & ALL_PLAIN)) {
        if (trumps & ~CARD(PETIT))
            return lowest(trumps & ~CARD(PETIT));
        return trumps ? PETIT : EXCUSE;
    }
    for (int suit = CLUBS; suit < TRUMPS; suit++) {
        Cards away = unseen & OF_SUIT(suit);
        /* Where the others still hold many cards of a suit they must follow, and can't trump. */
        if (size(away) > 6 || !others)
            safe |= hand & OF_SUIT(suit) & (away ? above(highest(away)) : ~(Cards)0);
    }
    EACH (card, safe)
        if (worth(card) > most) {
            most = worth(card);
            best = card;
        }
    if (safe)
        return best;
    for (int suit = CLUBS; suit < TRUMPS; suit++) {
        Cards held = hand & OF_SUIT(suit);
        int length = size(held);
        if (!length || length < longest)
            continue;
        card = lowest(held);                        /* the lowest card is the cheapest, too */
        if (length > longest || cost(card) < least) {
            longest = length;
            least = cost(card);
            best = card;
        }
    }
    return best;
}

/* Take the trick where it can be taken for good; give points to a friend, else little away. */
static int follow(const Position *p, Cards can, Cards unseen, int friend)
{
    Cards winners = winning(p, can), losers = can & ~winners & ~CARD(EXCUSE);
    int last = p->count == SEATS - 1, card;
    if (friend && last && losers)
        return dearest(losers);
    if (winners && !friend) {
        if (winners & ALL_TRUMPS) {
            /* The petit goes home where nobody can take it any more, else as late as possible. */
            if (winners & CARD(PETIT) && last)
                return PETIT;
            return lowest(winners & ~CARD(PETIT) ? winners & ~CARD(PETIT) : winners);
        }
        card = highest(winners);
        if (last || !(unseen & OF_SUIT(suit_of(card)) & above(card)))
            return card;
    }
    card = cheapest(losers | winners);
    return can & CARD(EXCUSE) && worth(card) > 1 ? EXCUSE : card;
}

int card_by_rule(const Position *p)
{
    Cards can = legal(p), hand, unseen, discard;
    int seat = to_act(p), alone = seat == p->taker, ahead;
    if (!(can & (can - 1)))
        return lowest(can);
    hand = p->hands[seat];
    if (can & CARD(EXCUSE) && size(hand) < 6)
        return EXCUSE;                              /* in the last trick it would be lost */
    discard = alone ? p->discard : p->discard & ALL_TRUMPS;
    unseen = ALL_CARDS & ~(hand | p->played | discard);
    if (p->led < 0)
        return lead(hand, unseen, alone);
    ahead = p->leader + p->by;
    if (ahead >= SEATS)
        ahead -= SEATS;
    return follow(p, can, unseen, !alone && ahead != p->taker);
}

void play_out(Position *p)
{
    while (p->finished < TRICKS)
        play(p, card_by_rule(p));
}
