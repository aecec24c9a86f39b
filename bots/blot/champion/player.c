/* Chooses a card: the mean score over deals of the unseen cards, each solved on open hands. */
#include "view.h"

#include <stdio.h>

enum { MOST_SOLVED = 480, BATCH = 16 };

/* What a card point is worth where it doesn't change the score: the cards may lie otherwise. */
static const double A_POINT = .02;

/* What it costs to part with a card: its points, and of equal points the higher place. */
static int cost_of(const Order *order, int card)
{
    return 32 * order->points[order->place[card]] + order->place[card];
}

/* The legal cards, the cheapest first: of equal ones the first is played. */
static int cheapest_first(const View *view, const Order *order, int *cards)
{
    int listed = 0;
    for (Cards legal = read_cards(view->legal, RANKS); legal;) {
        int card = take_lowest(&legal), at = listed++;
        for (; at && cost_of(order, cards[at - 1]) > cost_of(order, card); at--)
            cards[at] = cards[at - 1];
        cards[at] = card;
    }
    return listed;
}

/* Prints the legal answer that plays this card and announces the most. */
static void print_answer(const char *legal, int card)
{
    const char *longest = legal;
    int most = 0;
    for (int length; *legal; legal += length + (legal[length] == ',')) {
        length = (int)strcspn(legal, ",");
        if (read_card(legal, RANKS) == card && length > most) {
            longest = legal;
            most = length;
        }
    }
    printf("%.*s", most, longest);
}

/* Prints every legal answer with the mean lead after its card. */
static void print_scores(const char *legal, const int *cards, const Race *race)
{
    for (int length; *legal; legal += length + (legal[length] == ',')) {
        int i = 0;
        length = (int)strcspn(legal, ",");
        while (cards[i] != read_card(legal, RANKS))
            i++;
        printf("%.*s=%.3f ", length, legal, race->sums[i] / race->deals);
    }
}

void say_card(View *view)
{
    static Race race;
    double a_point = view->evaluates ? 0 : A_POINT;
    State *s = &view->state;
    Order order = order_of(s->strain);
    int cards[TRICKS], side = view->seat % 2, guess = ALL_POINTS / 2 - s->points[0];
    begin_race(&race, cheapest_first(view, &order, cards), view->evaluates ? 0 : BATCH);
    if (race.in > 1 || view->evaluates)
        draw_deals(view);
    while ((race.in > 1 || view->evaluates) && race.deals < (view->ways == 1 ? 1 : MOST_SOLVED)
           && searched(view->solver) < view->most_searched) {
        Cards dealt[4];
        deal_likely(view, dealt);
        Position position = set_deal(view, dealt);
        Awarded awarded = award(s);
        new_deal(view->solver);
        for (int i = 0; i < race.answers; i++) {
            if (race.out[i])
                continue;
            guess = value_after(view->solver, &position, order.place[cards[i]], guess);
            int taken = s->points[0] + guess, lead = lead_from(s, taken, &awarded);
            race.values[i] = side ? a_point * (ALL_POINTS - taken) - lead : a_point * taken + lead;
        }
        count_deal(&race);
    }
    if (view->evaluates)
        print_scores(view->legal, cards, &race);
    else
        print_answer(view->legal, cards[best_answer(&race)]);
}
