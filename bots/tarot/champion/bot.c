/* Champion: answers with what does best in many deals of the cards that it does not see. */
#include "champion.h"

#include <stdio.h>

/* The tricks that the search for a card plays, and an evaluation: some 40,000 or 10,000 games of a
 * whole hand, or more of what is left of one. */
enum { TRICKS_TRIED = 40000 * TRICKS, TRICKS_EVALUATED = 10000 * TRICKS };

static void answer(Question *question)
{
    State known = {0};
    if (!tarot.read(&known, question->count, question->words)) {
        puts("pass");
        return;
    }
    uint64_t *random = &question->random;
    int tricks = question->evaluates ? TRICKS_EVALUATED : TRICKS_TRIED;
    int games = tricks / (size_of(known.hands[known.table.to_act]) + 1);
    if (question->evaluates && known.phase == BID) {
        evaluate_bids(&known, random);
    } else if (question->evaluates && known.phase == PLAY) {
        evaluate_cards(&known, random, games);
    } else if (known.phase == BID) {
        print_bid(choose_bid(&known, random));
    } else if (known.phase == DISCARD) {
        print_cards(choose_discard(&known, random));
    } else {
        int card = choose_card(&known, random, games);
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
