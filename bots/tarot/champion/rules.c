#include "champion.h"

/* The cards of a suit from 0 to 3. */
static inline Cards of_suit(Cards cards, int suit) { return cards & suit_of(SUIT * suit); }

int hand_value(Hand hand)
{
    int trumps = count(trumps_of(hand));
    int value = 2 * trumps + 2 * (trumps > 8 ? trumps - 8 : 0);
    if (has_card(hand, TWENTY_ONE))
        value += 10;
    if (has_card(hand, EXCUSE))
        value += 8;
    if (hand.trumps & PETIT_BIT)
        value += 3 + (trumps < 10 ? trumps - 1 : 9);
    for (int suit = 0; suit < 4; suit++) {
        int length = count(of_suit(hand.suits, suit));
        value += length == 0 ? 6 : length == 1 ? 3 : 0;
    }
    return value + count(hand.suits & KINGS >> 3) + 2 * count(hand.suits & KINGS >> 2)
        + 3 * count(hand.suits & KINGS >> 1) + 6 * count(hand.suits & KINGS);
}

int bid_by_rule(int value)
{
    return value >= 59 ? CONTRE : value >= 51 ? SANS : value >= 41 ? GARDE
        : value >= 36 ? PETITE : PASSED;
}

Cards some_of(Cards from, int wanted, int highest_first)
{
    Cards chosen = 0;
    for (; from && wanted; wanted--, from &= ~chosen)
        chosen |= bit(highest_first ? highest(from) : lowest(from));
    return chosen;
}

Hand discard_by_rule(Hand hand)
{
    Hand may_go = may_be_put_away(hand);
    Cards chosen = 0;
    if (may_go.trumps)                  /* all suits must go, and the lowest trumps */
        return (Hand){may_go.suits, some_of(may_go.trumps, DOG - count(may_go.suits), 0)};
    for (int kept = 0; kept < 2; kept++)            /* suits without their king, then with it */
        for (int length = 1; length <= SUIT; length++)
            for (int suit = 0; suit < 4; suit++) {
                Cards held = of_suit(hand.suits, suit);
                if (count(held) == length && ((held & KINGS) != 0) == kept)
                    chosen |= some_of(held & may_go.suits, DOG - count(chosen), 1);
            }
    return (Hand){chosen, 0};
}

Cards poignee_by_rule(Hand hand)
{
    Cards trumps = trumps_of(hand);
    for (int size = 15; size >= 13; size -= 2) {
        if (count(trumps) >= size)
            return some_of(trumps, size, 0);
        if (count(hand.trumps) == size)
            return hand.trumps;
    }
    return 0;
}

/* What is given away with a card: its points first, then whether it is a trump, then its height. */
static inline int cost(int card)
{
    return half_points(card) << 8 | (card >= TRUMPS ? 0x80 | (card - TRUMPS) : card % SUIT);
}

/* The dearest card, or with a sign of -1 the cheapest; the Excuse where there is none. */
static inline int dearest(Hand cards, int sign)
{
    int best = EXCUSE, most = -(1 << 16);
    while (!is_empty(cards)) {
        int card = take_card(&cards);
        if (sign * cost(card) > most) {
            most = sign * cost(card);
            best = card;
        }
    }
    return best;
}

/* The taker draws trumps while it has more of them than the others. Else an honour that nobody
 * can beat is brought home, or a long suit is led from the bottom. */
static int lead(Hand hand, Hand unseen, int alone)
{
    Cards trumps = trumps_of(hand), safe = 0;
    int others = count(trumps_of(unseen)), best = -1, longest = 0, least = 0;
    if (alone && 0 < others && others < count(trumps))
        return TRUMPS + highest(trumps);
    if (!hand.suits) {
        if (trumps & ~(Cards)PETIT_BIT)
            return TRUMPS + lowest(trumps & ~(Cards)PETIT_BIT);
        return trumps ? TRUMPS : EXCUSE;
    }
    for (int suit = 0; suit < 4; suit++) {
        Cards away = of_suit(unseen.suits, suit);
        /* Where the others still hold many cards of a suit they must follow, and can't trump. */
        if (!others || count(away) > 6)
            safe |= of_suit(hand.suits, suit) & (away ? above(highest(away)) : ~(Cards)0);
    }
    while (safe) {
        int card = take_lowest(&safe);
        if (best < 0 || half_points(card) > half_points(best))
            best = card;
    }
    if (best >= 0)
        return best;
    for (int suit = 0; suit < 4; suit++) {
        Cards held = of_suit(hand.suits, suit);
        int length = count(held);
        if (!length || length < longest)
            continue;
        int card = lowest(held);                    /* the lowest card is the cheapest, too */
        if (length > longest || cost(card) < least) {
            longest = length;
            least = cost(card);
            best = card;
        }
    }
    return best;
}

/* Cards of these, without the Excuse, that would take the trick from the ones that lie there. */
static Hand winning(const State *s, Hand cards)
{
    if (s->best >= TRUMPS)
        return (Hand){0, cards.trumps & above(s->best - TRUMPS)};
    return (Hand){cards.suits & suit_of(s->best) & above(s->best), cards.trumps};
}

/* Takes the trick where it can be taken for good; gives points to a friend, else little away. */
static int follow(const State *s, Hand can, Hand unseen, int friend)
{
    Hand cards = {can.suits, trumps_of(can)};
    Hand winners = winning(s, cards), losers = without(cards, winners);
    int last = s->laid == 2;
    if (friend && last && !is_empty(losers))
        return dearest(losers, 1);
    if (!friend && winners.trumps) {
        /* The petit goes home where nobody can take it any more, else as late as possible. */
        Cards others = winners.trumps & ~(Cards)PETIT_BIT;
        int goes_home = last && winners.trumps & PETIT_BIT;
        return TRUMPS + (goes_home || !others ? 0 : lowest(others));
    }
    if (!friend && winners.suits) {
        int card = highest(winners.suits);
        if (last || !(unseen.suits & suit_of(card) & above(card)))
            return card;
    }
    int card = dearest(cards, -1);
    return has_card(can, EXCUSE) && half_points(card) > 1 ? EXCUSE : card;
}

int card_by_rule(const State *s)
{
    Hand can = playable(s), others = can, unseen;
    int seat = s->table.to_act, alone = seat == s->taker, first = take_card(&others);
    const Hand *hand = &s->hands[seat];
    if (is_empty(others))
        return first;
    if (has_card(can, EXCUSE) && size_of(*hand) < 6)
        return EXCUSE;                              /* in the last trick it would be lost */
    unseen = takes_dog(s) ? (Hand){alone ? 0 : s->discard.suits, 0} : s->dog;
    unseen = with(unseen, with(s->hands[(seat + 1) % 3], s->hands[(seat + 2) % 3]));
    if (!s->laid || s->best == EXCUSE)
        return lead(*hand, unseen, alone);
    return follow(s, can, unseen, !alone && s->winner != s->taker);
}

void put_away(State *s, Hand cards)
{
    while (!is_empty(cards))
        tarot.apply(s, take_card(&cards));
}

void play_out(State *s)
{
    while (s->table.to_act >= 0)
        tarot.apply(s, card_by_rule(s));
}
