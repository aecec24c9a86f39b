/* Champion of spades: tries every answer on many deals as they may lie, and takes the best. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hands.h"
#include "question.h"
#include "search.h"

enum { MOST_WORDS = 32 };

/* A blind nil gives its partner its highest card, the partner its lowest. */
static int card_to_pass(const Question *q)
{
    int card, found = -1, gives_high = q->round.blind[q->round.turn];
    EACH(card, q->legal)
        if (found < 0 || (cost(card) > cost(found)) == gives_high)
            found = card;
    return found;
}

static void answer(int count, char *words[])
{
    Question q;
    char card[3];
    if (!read_question(&q, count, words)) {
        puts("-");
    } else if (q.phase == BLIND) {
        puts("-");
    } else if (q.phase == BID) {
        printf("%d\n", choose_bid(&q));
    } else {
        write_card(q.phase == PASS ? card_to_pass(&q) : choose_card(&q), card);
        puts(card);
    }
    fflush(stdout);
}

int main(int argc, char *argv[])
{
    char *line = NULL, *words[MOST_WORDS];
    size_t room = 0;

    prepare_hands();
    if (argc > 1) {
        answer(argc - 1, argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {
        int count = 0;
        if (line[0] == '#')
            continue;
        for (char *w = strtok(line, " \n"); w && count < MOST_WORDS; w = strtok(NULL, " \n"))
            words[count++] = w;
        answer(count, words);
    }
    return 0;
}
