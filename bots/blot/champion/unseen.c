#include "unseen.h"

/* How many deals there are of the cards after this one, when one of the others takes it. */
static double ways_with(const Unseen *unseen, int at, const int room[3], int other)
{
    if (!room[other])
        return 0;
    return unseen->ways[at + 1][room[0] - (other == 0)][room[1] - (other == 1)];
}

/* Count the deals, from the last card back: the third seat's room is what is left of the cards. */
static void count_ways(Unseen *unseen)
{
    for (int at = unseen->count; at >= 0; at--)
        for (int first = 0; first <= 8; first++)
            for (int second = 0; second <= 8; second++) {
                const int room[3] = {first, second, unseen->count - at - first - second};
                double ways = at == unseen->count && !first && !second;
                for (int other = 0; at < unseen->count && other < 3; other++)
                    if (unseen->may[at] >> other & 1 && room[2] >= 0 && room[2] <= 8)
                        ways += ways_with(unseen, at, room, other);
                unseen->ways[at][first][second] = ways;
            }
}

/* The cards that each seat can't hold after what it has played. */
static void bar(Cards barred[4], const Question *question, const Order *order, bool careful)
{
    for (int i = 0; i <= question->finished; i++) {
        const Played *played = &question->tricks[i];
        Trick trick = NO_CARDS;
        for (int step = 0; step < played->count; step++) {
            const int seat = (played->leader + step) & 3, card = order->place[played->cards[step]];
            const bool trumped = order->trumps & bit(card);
            const bool follows = suit_of(card) == suit_of(trick.led);
            const bool partners = ((seat ^ trick.winner) & 1) == 0;
            if (step && !follows)
                barred[seat] |= suit_of(trick.led);
            if (step && !careful && (follows ? trumped : !partners)) {
                if (!trumped)
                    barred[seat] |= order->trumps;
                else if (card < trick.best)
                    barred[seat] |= order->trumps & (~(Cards)1 << trick.best);
            }
            trick = with_card(&trick, seat, card, order);
        }
    }
}

static void place(Unseen *unseen, const Question *question, const Order *order, Cards free,
                  bool careful)
{
    Cards barred[4] = {0};
    if (order) {
        bar(barred, question, order, careful);
        for (int seat = 0; seat < 4; seat++)
            for (int other = 0; other < 4; other++)
                if (other != seat)
                    barred[other] |= to_places(order, question->shown[seat]);
    }
    unseen->count = 0;
    for (Cards cards = free; cards; cards &= cards - 1) {
        const int card = lowest(cards), at = unseen->count++;
        unseen->card[at] = card;
        unseen->may[at] = 0;
        for (int other = 0; other < 3; other++)
            if (!(barred[unseen->others[other]] & bit(card)))
                unseen->may[at] |= 1 << other;
    }
    count_ways(unseen);
}

void look(Unseen *unseen, const Question *question, const Order *order)
{
    const Played *table = &question->tricks[question->finished];
    Cards seen = question->hand;
    for (int i = 0; i <= question->finished; i++)
        for (int step = 0; step < question->tricks[i].count; step++)
            seen |= bit(question->tricks[i].cards[step]);
    unseen->seat = question->seat;
    unseen->own = order ? to_places(order, question->hand) : question->hand;
    for (int other = 0; other < 3; other++) {
        const int seat = unseen->others[other] = (question->seat + 1 + other) & 3;
        const bool has_played = ((seat - table->leader) & 3) < table->count;
        unseen->room[other] = 8 - question->finished - has_played;
    }
    const Cards free = order ? to_places(order, ~seen) : ~seen;
    place(unseen, question, order, free, false);
    if (!unseen->ways[0][unseen->room[0]][unseen->room[1]])
        place(unseen, question, order, free, true);
}

void deal_unseen(const Unseen *unseen, Chance *chance, Cards hands[4])
{
    int room[3] = {unseen->room[0], unseen->room[1], unseen->room[2]};
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = seat == unseen->seat ? unseen->own : 0;
    for (int at = 0; at < unseen->count; at++) {
        double draw = drawn(chance) * unseen->ways[at][room[0]][room[1]];
        int taker = -1;
        for (int other = 0; other < 3 && draw >= 0; other++) {
            const bool may = unseen->may[at] >> other & 1;
            const double ways = may ? ways_with(unseen, at, room, other) : 0;
            if (ways)
                taker = other;
            draw -= ways;
        }
        room[taker]--;
        hands[unseen->others[taker]] |= bit(unseen->card[at]);
    }
}
