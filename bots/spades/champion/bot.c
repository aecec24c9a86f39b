/* Champion of spades: tries answers on deals as they may lie, and takes the best. */
#include "hands.h"
#include "search.h"

#include <stdio.h>

static void print_action(int action)
{
    if (action == LOOK)
        putchar('-');
    else if (action == BLIND_NIL)
        printf("BN");
    else if (action >= BIDS)
        printf("%d", action - BIDS);
    else
        printf("%c%c", RANKS[rank_of(action)], "CDHS"[action / 13]);
}

static void answer(Question *question)
{
    Position p;
    uint16_t actions[MOST_CANDIDATES];
    double scores[MOST_CANDIDATES];
    if (!read_position(&p, question)) {
        print_action(LOOK);
    } else if (question->evaluates) {
        int listed = evaluate(&p, actions, scores);
        for (int i = 0; i < listed; i++) {
            print_action(actions[i]);
            printf("=%.2f%s", scores[i], i + 1 < listed ? " " : "");
        }
    } else {
        print_action(choose(&p));
    }
    putchar('\n');
}

int main(int argc, char *argv[])
{
    prepare_hands();
    return answer_questions(argc, argv, answer, NULL);
}
