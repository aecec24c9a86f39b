#include "player.h"

#include "belief.h"
#include "race.h"
#include "solver.h"

/* What a card point is worth where it doesn't change the score: the cards may lie otherwise. */
static const double A_POINT = .02;

/* The position on the table, without the hands: the trick, and who took all the tricks so far. */
static Position position_of(const Question *question, const Order *order)
{
    Position position = {.seat = question->seat, .sweeper = EITHER};
    for (int i = 0; i <= question->finished; i++) {
        const Played *played = &question->tricks[i];
        Trick trick = NO_CARDS;
        for (int step = 0; step < played->count; step++)
            trick = with_card(&trick, (played->leader + step) & 3,
                              order->place[played->cards[step]], order);
        position.trick = trick;
        if (i == question->finished)
            break;
        const int side = trick.winner & 1;
        if (position.sweeper != side)
            position.sweeper = position.sweeper == EITHER ? side : NOBODY;
    }
    return position;
}

/* Our score when the points that side 0 takes from here on are these. */
static double value_of(const Question *question, int to_come, const int declared[2])
{
    const Contract *contract = &question->contract;
    const int bidders = contract->seat & 1, ours = question->seat & 1;
    const int first = question->points[0] + to_come;
    const int cards[2] = {first, ALL_POINTS - first};
    const int by_role[2] = {declared[bidders], declared[!bidders]};
    const int lead = lead_of(contract, cards[bidders], by_role);
    return (bidders == ours ? lead : -lead) + A_POINT * cards[ours];
}

/* The legal cards, those that count least first: of equal ones the first is played. */
static int cheapest_first(const Question *question, const Order *order, int *found)
{
    int count = 0;
    for (Cards legal = to_places(order, legal_cards(question)); legal; legal &= legal - 1) {
        const int card = lowest(legal);
        int at = count++;
        for (; at && order->points[found[at - 1]] > order->points[card]; at--)
            found[at] = found[at - 1];
        found[at] = card;
    }
    return count;
}

int choose_card(const Question *question, Chance *chance)
{
    static Unseen unseen;
    static Race race;
    const Order *order = order_of(question->contract.strain);
    int cards[8];
    const int count = cheapest_first(question, order, cards);
    if (count == 1)
        return order->name[cards[0]];

    Position position = position_of(question, order);
    int guess = ALL_POINTS / 2 - question->points[0];
    look(&unseen, question, order);
    line_up(&race, count, question->open ? 1 : MOST_DEALS);
    bool late;
    do {
        Cards hands[4], dealt[4];
        deal_likely(question, &unseen, order, chance, hands, dealt);
        Declared said[4];
        int declared[2];
        for (int seat = 0; seat < 4; seat++) {
            position.hands[seat] = to_places(order, hands[seat]);
            said[seat] = declared_of(dealt[seat], question->contract.strain);
        }
        award(said, (question->dealer + 1) & 3, declared);
        new_deal(order);
        late = false;
        for (int i = 0; i < count && !late; i++) {
            late = race.deals && out_of_time();
            if (race.out[i] || late)
                continue;
            guess = solve_after(&position, cards[i], guess);
            race.values[i][race.deals] = value_of(question, guess, declared);
        }
    } while (!late && next_deal(&race));        /* a deal that took too long doesn't count */
    return order->name[cards[winner_of(&race)]];
}
