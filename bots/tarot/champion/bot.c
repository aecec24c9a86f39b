/* Champion: answers with what does best in many deals of the cards that it does not see. */
#include "champion.h"

#include <stdio.h>

enum { CARD_GAMES = 10000 }; /* that the search for a card plays */

static void answer(Question *question)
{
    State known = {0};
    if (!tarot.read(&known, question->count, question->words)) {
        puts("pass");
        return;
    }
    uint64_t *random = &question->random;
    if (question->evaluates && known.phase == BID) {
        evaluate_bids(&known, random);
    } else if (question->evaluates && known.phase == PLAY) {
        evaluate_cards(&known, random, CARD_GAMES);
    } else if (known.phase == BID) {
        print_bid(choose_bid(&known, random));
    } else if (known.phase == DISCARD) {
        print_cards(choose_discard(&known, random));
    } else {
        int card = choose_card(&known, random, CARD_GAMES);
        Cards shown = known.played < 3 ? choose_poignee(&known, random, card) : 0;
        print_cards(one_card(card));
        if (shown) {
            printf(" show ");
            print_cards((Hand){0, shown});
        }
    }
    putchar('\n');
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
