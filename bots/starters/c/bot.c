/* A whole blackjack bot: draws below 17, stands from there on. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* words: score, hand, visible cards (the dealer's two first, the hidden one as '#'), stake, chips.
   Choose "H" (hit), "S" (stand), "D" (double down) or "B 25" (bet 25 more). */
static const char *answer(char *words[5])
{
    return atoi(words[0]) < 17 ? "H" : "S";
}

int main(int argc, char *argv[])
{
    char line[4096], *words[5];

    if (argc > 5) {                             /* argv: the question is in the arguments */
        puts(answer(argv + 1));
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {   /* stdin: a question a line, until the game ends */
        if (line[0] == '#')                     /* "# ..." is news and wants no answer */
            continue;
        for (int i = 0; i < 5; i++)
            if (!(words[i] = strtok(i ? NULL : line, " \n")))
                return 1;
        puts(answer(words));
        fflush(stdout);                         /* send it now, don't keep it in a buffer */
    }
    return 0;
}
