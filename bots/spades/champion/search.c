#include "search.h"

#include <math.h>
#include <time.h>

#include "deals.h"
#include "hands.h"
#include "rules.h"

#ifndef DEALS
#define DEALS 5000      /* the budget of an answer: some 10 ms */
#endif

enum {
    AT_ONCE = 100,      /* deals, before candidates are given up and the clock is looked at */
    MOST_CANDIDATES = 14
};
static const double SECONDS = .5;       /* for an answer, however slow the machine is */

/* The candidates, and what each was worth on each deal. */
typedef struct {
    int candidates, candidate[MOST_CANDIDATES];
    int is_left[MOST_CANDIDATES];       /* in the race */
    float worth[MOST_CANDIDATES][DEALS];
    double sum[MOST_CANDIDATES];
} Race;

/* Play a candidate out from a deal, and give what the round is worth then. */
typedef double Trial(const Question *question, const Cards hands[4], int candidate);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int leader(const Race *race)
{
    int best = -1;
    for (int i = 0; i < race->candidates; i++)
        if (race->is_left[i] && (best < 0 || race->sum[i] > race->sum[best]))
            best = i;
    return best;
}

/* Drop what is behind the leader by more than chance explains: three standard errors. */
static int drop_losers(Race *race, int deals)
{
    int best = leader(race), left = 0;
    for (int i = 0; i < race->candidates; i++) {
        if (!race->is_left[i])
            continue;
        double sum = 0, squares = 0;
        for (int deal = 0; deal < deals; deal++) {
            double lead = race->worth[best][deal] - race->worth[i][deal];
            sum += lead;
            squares += lead * lead;
        }
        if (i != best && sum > 3 * sqrt(squares - sum * sum / deals) + 1e-9)
            race->is_left[i] = 0;
        left += race->is_left[i];
    }
    return left;
}

/* Try the candidates on deals until one is left, or deals or time are used up; give the best. */
static int winner_of(Race *race, const Question *q, Trial *trial)
{
    static Deals deals;
    double end = now() + SECONDS;
    Cards hands[4];
    prepare_worth(q->standing.goal, q->standing.lose);
    for (int i = 0; i < race->candidates; i++)
        race->is_left[i] = 1;
    begin_deals(&deals, q);
    for (int deal = 0; deal < DEALS; deal++) {
        next_deal(&deals, hands);
        for (int i = 0; i < race->candidates; i++)
            if (race->is_left[i]) {
                race->worth[i][deal] = trial(q, hands, race->candidate[i]);
                race->sum[i] += race->worth[i][deal];
            }
        if ((deal + 1) % AT_ONCE == 0 && (drop_losers(race, deal + 1) < 2 || now() > end))
            break;
    }
    return race->candidate[leader(race)];
}

static double worth_of(const Question *q, const Round *r)
{
    int seat = q->round.turn;
    return worth_after(&q->standing, made_by(r, seat), made_by(r, next_of(seat)));
}

static Round with_hands(const Question *q, const Cards hands[4])
{
    Round r = q->round;
    for (int seat = 0; seat < 4; seat++)
        r.hands[seat] = hands[seat];
    return r;
}

static double try_card(const Question *q, const Cards hands[4], int card)
{
    Round r = with_hands(q, hands);
    play_card(&r, card);
    play_out(&r);
    return worth_of(q, &r);
}

static double try_bid(const Question *q, const Cards hands[4], int bid)
{
    Round r = with_hands(q, hands);
    int first = next_of(q->dealer), seat = r.turn;
    r.bids[seat] = bid;
    while (seat != q->dealer) {
        seat = next_of(seat);
        if (r.bids[seat] == NO_BID)
            r.bids[seat] = likely_bid(r.hands[seat], r.bids, seat, q->dealer);
    }
    r.turn = first;
    play_out(&r);
    return worth_of(q, &r);
}

/* Of cards that are as good as each other only the lowest is a candidate. */
static void list_cards(Race *race, const Question *q)
{
    int card;
    EACH(card, q->legal) {
        Cards lower = q->legal & of_suit(suit_of(card)) & (only(card) - 1);
        if (!lower || !are_equals(&q->round, card, highest(lower)))
            race->candidate[race->candidates++] = card;
    }
}

int choose_card(const Question *q)
{
    static Race race;
    race = (Race){0};
    list_cards(&race, q);
    if (race.candidates == 1)
        return race.candidate[0];
    return winner_of(&race, q, try_card);
}

int choose_bid(const Question *q)
{
    static Race race;
    Cards hand = q->round.hands[q->round.turn];
    int fair = fair_bid(hand, q->round.bids, q->round.turn, q->dealer) + .5;
    race = (Race){0};
    if (q->low == NIL && nil_logit(hand) > -2)
        race.candidate[race.candidates++] = NIL;
    for (int bid = fair - 2; bid <= fair + 2; bid++)
        if (bid >= 1 && bid >= q->low && bid <= q->high)
            race.candidate[race.candidates++] = bid;
    if (!race.candidates)
        return fair < q->low ? q->low : q->high;
    return winner_of(&race, q, try_bid);
}
