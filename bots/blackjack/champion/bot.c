/* Champion of blackjack: lets the others take their cards first, works out its chances exactly from
   what is left of the pack, and stakes what brings it before the others most often. */

#include "native/bot.h"
#include "odds.h"
#include "worth.h"

#include <stdio.h>
#include <stdlib.h>

/* With so few cards left in the pack it is worth a chip to see what the others draw. */
enum { FEW = 14, START = 200 };

typedef struct {
    Shoe shoe;
    size_t seen;            /* how many cards lay open when it last answered in this hand */
    bool drew;              /* whether it took one then */
    int hand;               /* the number of this hand, 0 before the first question */
    bool first_round;       /* it began with what everybody begins with */
} Bot;

static Bot bot;

/* Waits for others by a raise of a chip: that is free where it means to raise anyway. */
static void answer(Question *question)
{
    char **words = question->words;
    if (question->count < 5)
        return;
    const char *cards = words[1], *visible = words[2];
    const int stake = atoi(words[3]), chips = atoi(words[4]);
    if (!bot.hand) {
        bot.hand = 1;
        bot.first_round = stake + chips == START;
    }
    const Coming unseen = coming(&bot.shoe, visible);
    const Purse purse = {stake, chips, bot.hand, bot.first_round};
    Hand hand = {0, false};
    for (; *cards; cards++)
        hand = with(hand, worth_of(*cards));
    const Advice advice = advise(hand, worth_of(*visible), &unseen, &purse);

    const int raise = advice.draws ? 0 : advice.stake - stake;
    const bool others_drew = strlen(visible) > bot.seen + bot.drew;   /* or a new hand begins */
    bot.seen = strlen(visible);
    bot.drew = false;
    if (others_drew && chips > 0 && (raise > 1 || unseen.pool.size <= FEW)) {
        puts("B 1");
    } else if (advice.draws) {
        bot.drew = true;
        puts("H");
    } else if (raise > 0) {
        printf("B %d\n", raise);
    } else {
        puts("S");
    }
}

static void hear(char *news)
{
    char cards[1024];
    int number;
    if (sscanf(news, "# shoe %1023s", cards) == 1) {
        if (worth_of(*cards) >= 0)              /* a dash: none is gone */
            go_on(&bot.shoe, cards);
    } else if (sscanf(news, "# hand %d %1023s", &number, cards) == 2) {
        settle(&bot.shoe, cards);
        bot.seen = 0;
        bot.drew = false;
        if (bot.hand)
            bot.hand = number + 1;
    }
}

int main(int argc, char *argv[])
{
    new_shoe(&bot.shoe);
    prepare_worth();
    if (argc == 6)
        bot.seen = strlen(argv[3]);             /* it won't be asked again as this process */
    return answer_questions(argc, argv, answer, hear);
}
