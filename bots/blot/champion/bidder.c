#include "bidder.h"

#include "belief.h"
#include "estimate.h"
#include "race.h"

#include <math.h>
#include <stdio.h>

enum { GUESSED = 400, LEVELS_ABOVE = 16, BATCH = 4 };

/* By how much a bid or a contra must be better than to let things be, and what it is worth that
   nobody has bid yet. */
static const double BID_MARGIN = 1, CONTRA_MARGIN = 3, NO_BID = 0;

/* A strain whose best bid is behind by this is not looked at any more. */
static const double HOPELESS = 10;

/* How many solved deals what was thought before is worth: that guesses are right on average. */
static const double PRIOR = 6;

/* Where a guess may lie in its error, in five parts that are alike likely. */
static const double SPREAD[] = {-1.4, -.53, 0, .53, 1.4};
enum { SPREADS = sizeof SPREAD / sizeof *SPREAD };

/* The same deals in one strain, whoever bids it: the points of side 0, and what the declarations of
   both sides count. `shift` is by how much solved deals came to more than was guessed. */
typedef struct {
    bool in;
    double guesses[GUESSED];
    short declared[GUESSED][2];
    double shift;
} Outcomes;

static Outcomes outcomes[STRAINS];
static Cards dealt[GUESSED][4];
static int deals;

static Position position_in(const Question *question, const Order *order, const Cards hands[4])
{
    Position position = {.seat = (question->dealer + 1) & 3, .sweeper = EITHER, .trick = NO_CARDS};
    for (int seat = 0; seat < 4; seat++)
        position.hands[seat] = to_places(order, hands[seat]);
    return position;
}

static void guess(const Question *question, int strain)
{
    Outcomes *these = &outcomes[strain];
    const Order *order = order_of(strain);
    for (int i = 0; i < deals; i++) {
        const Position position = position_in(question, order, dealt[i]);
        Declared said[4];
        int points[2];
        for (int seat = 0; seat < 4; seat++)
            said[seat] = declared_of(dealt[i][seat], strain);
        award(said, position.seat, points);
        these->declared[i][0] = points[0];
        these->declared[i][1] = points[1];
        these->guesses[i] = estimate(position.hands, order, position.seat);
    }
    these->shift = 0;
}

/* The mean lead of our side under a contract. */
static double expected(const Question *question, Contract contract)
{
    const Outcomes *these = &outcomes[contract.strain];
    const int bidders = contract.seat & 1, spreads = question->open ? 1 : SPREADS;
    double sum = 0;
    for (int i = 0; i < deals; i++) {
        const int declared[2] = {these->declared[i][bidders], these->declared[i][!bidders]};
        for (int part = 0; part < spreads; part++) {
            const double off = question->open ? 0 : ERROR * SPREAD[part];
            const int points = with_leap(these->guesses[i] + these->shift + off);
            sum += lead_of(&contract, bidders ? ALL_POINTS - points : points, declared);
        }
    }
    return (bidders == (question->seat & 1) ? sum : -sum) / deals / spreads;
}

/* The best bid in a strain, and its mean. */
static double best_bid(const Question *question, Choice choice, int strain, Contract *best)
{
    double most = -INFINITY;
    const int highest_level = fmin(HIGHEST_LEVEL, choice.lowest + LEVELS_ABOVE);
    for (int level = choice.lowest; level <= highest_level; level++) {
        const Contract contract = {level, strain, choice.capot_only, 0, question->seat};
        const double mean = expected(question, contract);
        if (mean > most) {
            most = mean;
            *best = contract;
        }
    }
    return most;
}

/* Keep only the strains whose best bid is not far behind, and that of the standing bid. */
static void leave_out(const Question *question, Choice choice)
{
    double means[STRAINS], most = -INFINITY;
    Contract contract;
    for (int strain = CLUBS; strain < STRAINS; strain++)
        if (outcomes[strain].in) {
            means[strain] = best_bid(question, choice, strain, &contract);
            most = fmax(most, means[strain]);
        }
    for (int strain = CLUBS; strain < STRAINS; strain++)
        if (outcomes[strain].in && means[strain] < most - HOPELESS)
            outcomes[strain].in = question->bid && strain == question->contract.strain;
}

/* Solve as many of the deals as there is time for, to learn by how much the guesses are wrong with
   this hand: by the mean of that they are mended. */
static void mend(const Question *question, Choice choice)
{
    double more[STRAINS] = {0};
    for (int i = 0; i < deals; i++) {
        for (int strain = CLUBS; strain < STRAINS; strain++) {
            Outcomes *these = &outcomes[strain];
            if (!these->in)
                continue;
            if (out_of_time() && !question->open)
                return;
            const Order *order = order_of(strain);
            const Position position = position_in(question, order, dealt[i]);
            new_deal(order);
            const int value = solve(&position, (int)these->guesses[i]);
            more[strain] += without_leap(value) - these->guesses[i];
            these->shift = question->open ? more[strain] : more[strain] / (i + 1 + PRIOR);
        }
        if (choice.lowest && (i + 1) % BATCH == 0)
            leave_out(question, choice);
    }
}

static void think(const Question *question, Choice choice, Chance *chance)
{
    static Unseen unseen;
    look(&unseen, question, NULL);
    deals = question->open ? 1 : GUESSED;
    for (int i = 0; i < deals; i++) {
        Cards hands[4];
        deal_likely(question, &unseen, NULL, chance, hands, dealt[i]);
    }
    for (int strain = CLUBS; strain < STRAINS; strain++) {
        outcomes[strain].in = choice.lowest || strain == question->contract.strain;
        if (outcomes[strain].in)
            guess(question, strain);
    }
    mend(question, choice);
}

void say_call(const Question *question, Chance *chance)
{
    const Choice choice = legal_calls(question);
    if (!choice.lowest && !choice.contra && !choice.recontra) {
        puts("P");
        return;
    }
    think(question, choice, chance);

    const double stands = question->bid ? expected(question, question->contract) : NO_BID;
    double most = stands + BID_MARGIN;
    Contract best = {0}, bid;
    for (int strain = CLUBS; choice.lowest && strain < STRAINS; strain++) {
        if (!outcomes[strain].in)
            continue;
        const double mean = best_bid(question, choice, strain, &bid);
        if (mean > most) {
            most = mean;
            best = bid;
        }
    }
    if (choice.contra || choice.recontra) {
        Contract doubled = question->contract;
        doubled.doubled++;
        if (expected(question, doubled) > fmax(most, stands + CONTRA_MARGIN)) {
            puts(choice.contra ? "X" : "XX");
            return;
        }
    }
    if (best.level)
        printf("%d%c%s\n", best.level, "CDHSN"[best.strain], best.capot ? "c" : "");
    else
        puts("P");
}
