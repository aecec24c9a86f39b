/* Champion: answers with what does best in many deals of the cards that it does not see. */

#include "bids.h"
#include "discards.h"
#include "search.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16 };

/* Of the second that an answer may take; a crowded machine needs the rest. */
static const double SECONDS = 0.35;

static void answer(char *words[], double seconds)
{
    Question q = read_question(words);
    if (q.phase == 'b') {
        printf("%s", bid_name(choose_bid(&q)));
    } else if (q.phase == 'd') {
        print_cards(choose_discard(&q, seconds));
    } else {
        int card = choose_card(&q, seconds, INT_MAX);
        Cards shown = size(q.hand) == HAND ? choose_poignee(&q, card) : 0;
        print_card(card);
        if (shown) {
            printf(" show ");
            print_cards(shown);
        }
    }
    putchar('\n');
    fflush(stdout);
}

int main(int argc, char *argv[])
{
    char *line = NULL, *words[WORDS];
    size_t room = 0;
    double left;                                /* what the clock says, in milliseconds */
    double seconds = SECONDS;

    if (argc > WORDS) {                         /* argv: the question is in the arguments */
        answer(argv + 1, seconds);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {  /* stdin: a question a line, until the game ends */
        int count = 0;
        if (sscanf(line, "# clock %lf", &left) == 1)
            seconds = left * 0.35e-3 < SECONDS ? left * 0.35e-3 : SECONDS;
        if (line[0] == '#')
            continue;
        for (char *w = strtok(line, " \n"); w && count < WORDS; w = strtok(NULL, " \n"))
            words[count++] = w;
        if (count == WORDS)
            answer(words, seconds);
    }
    free(line);
    return 0;
}
