/* Chooses a call: every contract's mean score over deals of the unseen cards. */
#include "estimate.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GUESSED = 400, LEVELS_ABOVE = 16, CAPOT_LEVEL = 25, BATCH = 4 };

/* By how much a bid or a contra must be better than to let things be, and what it is worth that
 * nobody has bid yet. */
static const double BID_MARGIN = 1, CONTRA_MARGIN = 3, NO_BID = 0;

/* A strain whose best bid is behind by this is not looked at any more. */
static const double HOPELESS = 10;

/* How many solved deals what was thought before is worth: that guesses are right on average. */
static const double PRIOR = 6;

/* Where a guess may lie in its error, in five parts that are alike likely. */
static const double SPREAD[] = {-1.4, -.53, 0, .53, 1.4};
enum { SPREADS = sizeof SPREAD / sizeof *SPREAD };

/* The same deals in one strain, whoever bids it: the points of side 0, and what declarations count.
 * `shift` is by how much solved deals came to more than was guessed. */
typedef struct {
    int in;
    double guesses[GUESSED], shift;
    Awarded awarded[GUESSED];
} Outcomes;

static Outcomes outcomes[NO_TRUMP + 1];
static Cards dealt[GUESSED][4];
static int deals;
static State standing; /* the contract so far; its level is 0 if there is none */

/* What can be said; `lowest` is the lowest level that may be bid, or 0, and `doubled` is 1 where a
 * contra may be said, 2 for a recontra, or 0. */
typedef struct {
    int lowest, capot_only, doubled;
} Choice;

static Choice choice_of(const char *legal)
{
    const char *bid = strpbrk(legal, "0123456789");
    return (Choice){bid ? atoi(bid) : 0, strchr(legal, 'c') != NULL,
                    strstr(legal, "XX") ? 2 : strchr(legal, 'X') ? 1 : 0};
}

static void guess(View *view, int strain)
{
    Outcomes *these = &outcomes[strain];
    view->state.strain = (int8_t)strain;
    for (int i = 0; i < deals; i++) {
        Position position = set_deal(view, dealt[i]);
        these->awarded[i] = award(&view->state);
        these->guesses[i] = estimate(&position);
    }
    these->shift = 0;
}

/* The mean lead of our side under a contract. */
static double expected(const View *view, const State *contract)
{
    const Outcomes *these = &outcomes[contract->strain];
    int certain = view->ways == 1, spreads = certain ? 1 : SPREADS;
    double sum = 0;
    for (int i = 0; i < deals; i++)
        for (int part = 0; part < spreads; part++) {
            double off = certain ? 0 : ERROR * SPREAD[part];
            int taken = with_leap(these->guesses[i] + these->shift + off);
            sum += lead_from(contract, taken, &these->awarded[i]);
        }
    return (view->seat % 2 ? -sum : sum) / deals / spreads;
}

static double expected_of_bid(const View *view, int level, int strain, int capot)
{
    State bid = standing;
    bid.level = (int8_t)level;
    bid.strain = (int8_t)strain;
    bid.capot = (int8_t)capot;
    bid.bidder = (int8_t)view->seat;
    return expected(view, &bid);
}

/* The highest level that is thought of. */
static int highest_level(Choice choice)
{
    int level = choice.lowest + LEVELS_ABOVE;
    return choice.lowest ? level < HIGHEST_LEVEL ? level : HIGHEST_LEVEL : -1;
}

/* The best level to bid in a strain, and its mean. */
static double best_bid(const View *view, Choice choice, int strain, int *level)
{
    double most = -INFINITY;
    *level = choice.lowest;
    for (int next = choice.lowest; next <= highest_level(choice); next++) {
        double mean = expected_of_bid(view, next, strain, choice.capot_only);
        if (mean > most) {
            most = mean;
            *level = next;
        }
    }
    return most;
}

/* Keeps only the strains whose best bid is not far behind, and that of the standing bid. */
static void leave_out(const View *view, Choice choice)
{
    double means[NO_TRUMP + 1], most = -INFINITY;
    int level;
    for (int strain = 0; strain <= NO_TRUMP; strain++)
        if (outcomes[strain].in) {
            means[strain] = best_bid(view, choice, strain, &level);
            most = fmax(most, means[strain]);
        }
    for (int strain = 0; strain <= NO_TRUMP; strain++)
        if (outcomes[strain].in && means[strain] < most - HOPELESS)
            outcomes[strain].in = standing.level && strain == standing.strain;
}

/* Solves as many of the deals as there is time for, to learn by how much the guesses are wrong with
 * this hand: by the mean of that they are mended. */
static void mend(View *view, Choice choice)
{
    int certain = view->ways == 1;
    double more[NO_TRUMP + 1] = {0};
    for (int i = 0; i < deals; i++) {
        for (int strain = 0; strain <= NO_TRUMP; strain++) {
            Outcomes *these = &outcomes[strain];
            if (!these->in)
                continue;
            if (searched(view->solver) >= view->most_searched && !certain)
                return;
            view->state.strain = (int8_t)strain;
            Position position = set_deal(view, dealt[i]);
            new_deal(view->solver);
            int value = value_of_lead(view->solver, &position, (int)these->guesses[i]);
            more[strain] += without_leap(value) - these->guesses[i];
            these->shift = certain ? more[strain] : more[strain] / (i + 1 + PRIOR);
        }
        if (choice.lowest && !view->evaluates && (i + 1) % BATCH == 0)
            leave_out(view, choice);
    }
}

static void think(View *view, Choice choice)
{
    deals = view->ways == 1 ? 1 : GUESSED;
    draw_deals(view);
    for (int i = 0; i < deals; i++)
        deal_likely(view, dealt[i]);
    for (int strain = 0; strain <= NO_TRUMP; strain++) {
        outcomes[strain].in = choice.lowest || strain == standing.strain;
        if (outcomes[strain].in)
            guess(view, strain);
    }
    mend(view, choice);
}

/* Prints what there is to be said with the mean lead of the contract. */
static void print_scores(const View *view, Choice choice)
{
    State doubled = standing;
    doubled.doubled = (int8_t)choice.doubled;
    printf("P=%.3f ", standing.level ? expected(view, &standing) : NO_BID);
    if (choice.doubled)
        printf("%s=%.3f ", choice.doubled == 1 ? "X" : "XX", expected(view, &doubled));
    for (int level = choice.lowest; level <= highest_level(choice); level++)
        for (int strain = 0; strain <= NO_TRUMP; strain++)
            for (int capot = choice.capot_only; capot <= (level >= CAPOT_LEVEL); capot++)
                printf("%d%c%s=%.3f ", level, SUITS[strain], capot ? "c" : "",
                       expected_of_bid(view, level, strain, capot));
}

void say_call(View *view)
{
    Choice choice = choice_of(view->legal);
    if (!choice.lowest && !choice.doubled && !view->evaluates) {
        printf("P");
        return;
    }
    standing = view->state;
    think(view, choice);
    if (view->evaluates) {
        print_scores(view, choice);
        return;
    }

    double stands = standing.level ? expected(view, &standing) : NO_BID, most = stands + BID_MARGIN;
    int best = 0, best_strain = 0;
    for (int strain = 0; choice.lowest && strain <= NO_TRUMP; strain++) {
        int level = 0;
        double mean = outcomes[strain].in ? best_bid(view, choice, strain, &level) : -INFINITY;
        if (mean > most) {
            most = mean;
            best = level;
            best_strain = strain;
        }
    }
    State doubled = standing;
    doubled.doubled = (int8_t)choice.doubled;
    if (choice.doubled && expected(view, &doubled) > fmax(most, stands + CONTRA_MARGIN))
        printf("%s", choice.doubled == 1 ? "X" : "XX");
    else if (best)
        printf("%d%c%s", best, SUITS[best_strain], choice.capot_only ? "c" : "");
    else
        printf("P");
}
