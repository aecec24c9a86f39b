/* Champion of Bazar Blot: deals the hidden cards as they are likely to lie, solves each deal on
   open hands, and bids and plays for the best mean score. */

#include "bidder.h"
#include "player.h"
#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 32 };

/* The same question is answered from the same deals. */
static Chance chance_for(int count, char *words[])
{
    uint64_t seed = 14695981039346656037u;
    for (int i = 0; i < count; i++)
        for (const char *letter = words[i]; *letter; letter++)
            seed = (seed ^ (unsigned char)*letter) * 1099511628211u;
    return chance_of(seed);
}

static void answer(int count, char *words[])
{
    static Question question;
    start_clock();
    Chance chance = chance_for(count, words);
    if (!read_question(&question, count, words))
        puts("P");
    else if (question.bidding)
        say_call(&question, &chance);
    else
        say_card(&question, choose_card(&question, &chance));
    fflush(stdout);
}

int main(int argc, char *argv[])
{
    char *line = NULL, *words[MOST_WORDS];
    size_t room = 0;

    if (argc > 1) {                             /* the question is in the arguments */
        answer(argc - 1, argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {  /* or comes a line at a time, until the game ends */
        int count = 0;
        if (line[0] == '#')                     /* news: the question tells it all again */
            continue;
        char *word = strtok(line, " \n");
        for (; word && count < MOST_WORDS; word = strtok(NULL, " \n"))
            words[count++] = word;
        answer(count, words);
    }
    free(line);
    return 0;
}
