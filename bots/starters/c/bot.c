/* A whole bot for every game: any answer that is allowed, and at blackjack a sensible one. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
   the game, the phase and the legal answers, joined by commas. */
static void answer(int count, char *words[])
{
    if (count == 5) {
        puts(atoi(words[0]) < 17 ? "H" : "S");
    } else {
        const char *phase = words[1], *legal = words[2];
        int wanted = strcmp(phase, "discard") ? 1 : 6;  /* at tarot the taker puts six cards away */
        int length = 0;                                 /* "0..13": all numbers from 0 to 13 */
        while (legal[length] && legal[length] != '.' && (legal[length] != ',' || --wanted))
            length++;
        printf("%.*s\n", length, legal);
    }
    fflush(stdout);                             /* send it now, don't keep it in a buffer */
}

int main(int argc, char *argv[])
{
    char *line = NULL, *words[32];
    size_t room = 0;

    if (argc > 5) {                             /* argv: the question is in the arguments */
        answer(argc - 1, argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {  /* stdin: a question a line, until the game ends */
        int count = 0;
        if (line[0] == '#')                     /* "# ..." is a notice and wants no answer */
            continue;
        for (char *w = strtok(line, " \n"); w && count < 32; w = strtok(NULL, " \n"))
            words[count++] = w;
        answer(count, words);
    }
    return 0;
}
