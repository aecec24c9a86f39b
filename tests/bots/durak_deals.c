/* Reads questions of durak, a line each, and prints hands and talon of DRAWN deals, one a line. */
#include "deals.h"

enum { DRAWN = 200 };

static void print_cards(Cards cards)
{
    while (cards) {
        int card = take_lowest(&cards);
        printf("%c%c%s", NAMES[card % RANKS], "CDHS"[card / RANKS], cards ? "," : "");
    }
}

static void answer(Question *question)
{
    static Deals deals;
    if (!begin_deals(&deals, question))
        return;
    for (int drawn = 0; drawn < DRAWN; drawn++) {
        State s = deals.state;
        Cards talon = 0;
        next_deal(&deals, &s);
        for (int seat = 0; seat < s.table.seats; seat++) {
            print_cards(s.hands[seat]);
            putchar('/');
        }
        for (int place = 0; place < s.left_in_talon; place++)
            talon |= bit(s.talon[place]);
        print_cards(talon);
        putchar('\n');
    }
}

int main(int argc, char *argv[])
{
    return answer_questions(argc, argv, answer, NULL);
}
