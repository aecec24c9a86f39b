/* Champion of blackjack: lets the others take their cards first, works out its chances exactly from
   what is left of the pack, and stakes what brings it before the others most often. */

#include "odds.h"
#include "worth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With so few cards left in the pack it is worth a chip to see what the others draw. */
enum { FEW = 14, START = 200 };

typedef struct {
    Shoe shoe;
    size_t seen;            /* how many cards lay open when it last answered in this hand */
    bool drew;              /* whether it took one then */
    int hand;               /* the number of this hand, 0 before the first question */
    bool first_round;       /* it began with what everybody begins with */
} Bot;

/* Waits for others by a raise of a chip: that is free where it means to raise anyway. */
static void answer(Bot *bot, char *words[])
{
    const char *cards = words[1], *visible = words[2];
    const int stake = atoi(words[3]), chips = atoi(words[4]);
    if (!bot->hand) {
        bot->hand = 1;
        bot->first_round = stake + chips == START;
    }
    const Unseen unseen = unseen_of(&bot->shoe, visible);
    const Purse purse = {stake, chips, bot->hand, bot->first_round};
    Hand hand = {0, false};
    for (; *cards; cards++)
        hand = with(hand, worth_of(*cards));
    const Advice advice = advise(hand, worth_of(*visible), &unseen, &purse);

    const int raise = advice.draws ? 0 : advice.stake - stake;
    const bool others_drew = strlen(visible) > bot->seen + bot->drew;   /* or a new hand begins */
    bot->seen = strlen(visible);
    bot->drew = false;
    if (others_drew && chips > 0 && (raise > 1 || unseen.pool.size <= FEW)) {
        puts("B 1");
    } else if (advice.draws) {
        bot->drew = true;
        puts("H");
    } else if (raise > 0) {
        printf("B %d\n", raise);
    } else {
        puts("S");
    }
    fflush(stdout);
}

static void hear(Bot *bot, char *news)
{
    char cards[1024];
    int number;
    if (sscanf(news, "# shoe %1023s", cards) == 1) {
        if (worth_of(*cards) >= 0)              /* a dash: none is gone */
            go_on(&bot->shoe, cards);
    } else if (sscanf(news, "# hand %d %1023s", &number, cards) == 2) {
        settle(&bot->shoe, cards);
        bot->seen = 0;
        bot->drew = false;
        if (bot->hand)
            bot->hand = number + 1;
    }
}

int main(int argc, char *argv[])
{
    static Bot bot;
    char *line = NULL, *words[5];
    size_t room = 0;

    new_shoe(&bot.shoe);
    prepare_worth();
    if (argc == 6) {                            /* the question is in the arguments */
        bot.seen = strlen(argv[3]);             /* it won't be asked again as this process */
        answer(&bot, argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {  /* or comes a line at a time, for a round */
        int count = 0;
        if (line[0] == '#') {
            hear(&bot, line);
            continue;
        }
        for (char *word = strtok(line, " \n"); word && count < 5; word = strtok(NULL, " \n"))
            words[count++] = word;
        if (count == 5)
            answer(&bot, words);
    }
    free(line);
    return 0;
}
