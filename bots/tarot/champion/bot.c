/* Champion: answers with what does best in many deals of the cards that it does not see. */
#include "champion.h"

#include <stdio.h>

/* Of the second that an answer may take; a crowded machine needs the rest. */
static const double SECONDS = 0.35;

enum { GAMES = 8000 }; /* for a card */

static double left = 1000; /* on the clock of the game, in milliseconds */

static void hear(char *news) { sscanf(news, "# clock %lf", &left); }

static void answer(Question *question)
{
    State known = {0};
    if (!tarot.read(&known, question->count, question->words)) {
        puts("pass");
        return;
    }
    uint64_t *random = &question->random;
    start_clock(SECONDS * (left < 1000 ? left / 1000 : 1));
    if (known.phase == BID) {
        print_bid(choose_bid(&known, random));
    } else if (known.phase == DISCARD) {
        print_cards(choose_discard(&known, random));
    } else {
        int card = choose_card(&known, random, GAMES);
        Cards shown = known.played < 3 ? choose_poignee(&known, random, card) : 0;
        print_cards(one_card(card));
        if (shown) {
            printf(" show ");
            print_cards((Hand){0, shown});
        }
    }
    putchar('\n');
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, hear); }
