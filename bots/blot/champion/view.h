/* What a seat knows when it is asked, and deals of the cards that it can't see. */
#ifndef VIEW_H
#define VIEW_H

#include "native/blot.h"
#include "native/bot.h"
#include "native/words.h"

/* What a seat has said: the strain of a bid, or one of these. */
enum { PASSED = -1, DOUBLED = NO_TRUMP + 1, REDOUBLED };

typedef struct {
    int seat, level, strain;
} Call;

enum { MOST_CALLS = 4 * LEVELS };

typedef struct {
    State state;               /* with the hands of one deal of the unseen cards */
    const char *legal;         /* the legal answers, as in the question */
    int seat, is_bidding, evaluates;
    Cards hand, played[4];     /* by seat */
    Call calls[MOST_CALLS];
    int call_count;
    int said[4][BELOTE];       /* how many declarations of each class a seat has announced */
    Unseen unseen;
    double ways;               /* how many deals of the unseen cards there are */
    uint64_t random;
    BlotSolver *solver;
    int64_t most_searched;     /* no further deal is solved when `searched` is that much */
} View;

/* Reads a question; returns 0 if it is not one of blot, or no deal agrees with it. */
int read_view(View *view, const Question *question);

/* The letters of the strains. */
extern const char SUITS[];

/* Draws deals of the unseen cards that agree with the play. */
void draw_deals(View *view);

/* One of them, by how likely its hands were to bid and announce as their seats did. `dealt` are the
 * hands before the play. */
void deal_likely(View *view, Cards dealt[4]);

/* Puts a deal into the state, with what its hands announce; returns the position for the solver. */
Position set_deal(View *view, const Cards dealt[4]);

/* Print the answer, or all of them with the mean lead of their side in this deal. */
void say_call(View *view);
void say_card(View *view);

#endif
