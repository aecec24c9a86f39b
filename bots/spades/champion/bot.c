/* Champion of spades: tries every answer on many deals as they may lie, and takes the best. */
#include "hands.h"
#include "search.h"

#include <stdio.h>

/* A blind nil gives its partner its highest card, the partner its lowest. */
static int card_to_pass(const Position *p)
{
    int gives_high = p->round.state.blind >> p->seat & 1, found = -1;
    for (Cards left = p->round.state.hands[p->seat]; left;) {
        int card = take_lowest(&left);
        if (found < 0 || (cost(card) > cost(found)) == gives_high)
            found = card;
    }
    return found;
}

static void answer(Question *question)
{
    Position p;
    if (!read_position(&p, question) || p.round.state.phase == BLIND)
        puts("-");
    else if (p.round.state.phase == BID)
        printf("%d\n", choose_bid(&p));
    else
        print_card(p.round.state.phase == PASS ? card_to_pass(&p) : choose_card(&p));
}

int main(int argc, char *argv[])
{
    prepare_hands();
    return answer_questions(argc, argv, answer, NULL);
}
