/* Champion of blackjack: lets the others take their cards first, works out its chances exactly from
   what is left of the pack, and stakes what brings it before the others most often. */

#include "native/bot.h"
#include "odds.h"
#include "rival.h"
#include "worth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* With so few cards left in the pack it is worth a chip to see what the others draw. */
enum { FEW = 14, START = 200, BUY_IN = 10, SURELY_DRAWS = 12, MOST_OWN = 32 };

typedef struct {
    Shoe shoe;
    size_t seen;            /* how many cards lay open when it last answered in this hand */
    bool drew;              /* whether it took one then */
    int hand;               /* the number of this hand, 0 before the first question */
    bool first_round;       /* it began with what everybody begins with */
    bool has_rival;         /* and at a table of two: to be ahead of the other one is all */
    char cards[MOST_OWN];   /* its own ones when it last answered in this hand */
    Coming unseen;          /* what was unseen then */
} Bot;

static Bot bot;

/* The cards that are dealt to one seat if these are to all and the other one has its own ones. */
static Hand others(const char *dealt, int count, const char *own)
{
    int left[WORTHS] = {0};
    Hand hand = {0, false};
    for (int i = 0; i < count; i++)
        left[worth_of(dealt[i])]++;
    for (; *own; own++)
        left[worth_of(*own)]--;
    for (int worth = 0; worth < WORTHS; worth++)
        for (; left[worth] > 0; left[worth]--)
            hand = with(hand, worth);
    return hand;
}

/* The score of the rival's cards, UNKNOWN where it can still draw without harm. */
static int score_of_rival(const char *own, const char *visible)
{
    const Hand hand = others(visible + 2, (int)strlen(visible) - 2, own);
    const int score = score_of(hand);
    return hand.total > HIGHEST ? 0 : score < SURELY_DRAWS ? UNKNOWN : score;
}

static void begin_round(int chips)
{
    bot.hand = 1;
    bot.first_round = chips == START;
    bot.has_rival = bot.first_round && bot.shoe.seats == 2;
    if (bot.has_rival)
        begin_rival(START);
    else
        prepare_worth();
}

/* Prints the chips that the answers win on average in this hand, of the raises those that a state
   of the game numbers. */
static void evaluate(Hand hand, int open, const Coming *unseen, int cards, int stake, int chips)
{
    const Scores scores = scores_of(hand, open, unseen);
    const double best = fmax(scores.stand, scores.hit);
    const int raises[] = {1, chips / 4, chips / 2, chips};
    printf("S=%.3f H=%.3f", stake * scores.stand, stake * scores.hit);
    if (cards == 2 && stake <= BUY_IN && chips >= stake)
        printf(" D=%.3f", 2 * stake * scores.doubled);
    for (int i = 0; i < 4; i++)
        if (raises[i] > (i ? raises[i - 1] : 0))
            printf(" B %d=%.3f", raises[i], (stake + raises[i]) * best);
    putchar('\n');
}

/* Waits for others by a raise of a chip: that is free where it means to raise anyway. */
static void answer(Question *question)
{
    char **words = question->words + (question->count > 5 ? question->count - 5 : 0);
    if (question->count < 5)
        return;
    const char *cards = words[1], *visible = words[2];
    const int stake = atoi(words[3]), chips = atoi(words[4]), open = worth_of(*visible);
    const Coming unseen = coming(&bot.shoe, visible);
    Hand hand = {0, false};
    for (const char *card = cards; *card; card++)
        hand = with(hand, worth_of(*card));
    if (question->evaluates) {
        evaluate(hand, open, &unseen, (int)strlen(cards), stake, chips);
        return;
    }
    if (!bot.hand)
        begin_round(stake + chips);
    Purse purse = {stake, chips, bot.hand, bot.first_round, bot.has_rival ? AHEAD : LEG, UNKNOWN};
    if (bot.has_rival) {
        purse.rival = score_of_rival(cards, visible);
        prepare_rival(bot.hand, purse.rival > 0 ? chance_to_win(purse.rival, open, &unseen) : 0);
    }
    const Advice advice = advise(hand, open, &unseen, &purse);

    const int raise = advice.draws ? 0 : advice.stake - stake;
    const bool others_drew = strlen(visible) > bot.seen + bot.drew;   /* or a new hand begins */
    bot.seen = strlen(visible);
    bot.drew = false;
    bot.unseen = unseen;
    snprintf(bot.cards, sizeof bot.cards, "%s", cards);
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

/* Learns from all cards of a hand what the rival has won or lost. The dealer's cards after the
   first two come last: as few as can be. */
static void settle_rival(const char *cards)
{
    const int count = (int)strlen(cards);
    Hand dealer = {0, false};
    int drawn = -1;
    do {
        dealer = with(with((Hand){0, false}, worth_of(cards[0])), worth_of(cards[1]));
        drawn++;
        for (int i = count - drawn; i < count && score_of(dealer) < DEALER_STANDS; i++)
            dealer = with(dealer, worth_of(cards[i]));
    } while (score_of(dealer) < DEALER_STANDS && drawn < count - 6);
    char own[MOST_OWN + 1];
    snprintf(own, sizeof own, "%s%.1s", bot.cards, bot.drew ? cards + bot.seen : "");
    const Hand hand = others(cards + 2, count - 2 - drawn, own);
    const int score = hand.total > HIGHEST ? 0 : score_of(hand);
    const bool won = score && (dealer.total > HIGHEST || score > score_of(dealer));
    rival_played(score ? chance_to_win(score, worth_of(*cards), &bot.unseen) : 0, won);
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
        if (bot.has_rival && strlen(cards) >= 6) {
            settle_rival(cards);
            new_shoe(&bot.shoe);
        }
        bot.seen = 0;
        bot.drew = false;
        if (bot.hand)
            bot.hand = number + 1;
    }
}

int main(int argc, char *argv[])
{
    new_shoe(&bot.shoe);
    if (argc == 6)
        bot.seen = strlen(argv[3]);             /* it won't be asked again as this process */
    return answer_questions(argc, argv, answer, hear);
}
