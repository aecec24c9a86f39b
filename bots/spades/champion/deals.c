/* The walk is the algorithm of [Metropolis 1953]. Two hands exchange a card, if they may: always where that
   goes better with the bids, else with a chance that falls with what is lost. What a number of
   such steps lead to is accepted in the same way by the cards played, since those take longer to
   judge. */

#include "deals.h"

#include <math.h>

#include "evidence.h"

enum { FIRST_STEPS = 200, STEPS = 12, ATTEMPTS = 50 };

static int may_hold(const Deals *deals, int seat, int card)
{
    return !(deals->question->round.lacks[seat] & only(card));
}

/* How many cards each of the others holds. */
static void count_hands(const Round *r, int room[4])
{
    int own = count(r->hands[r->turn]);
    for (int seat = 0; seat < 4; seat++)
        room[seat] = own;
    for (int i = 0; i < r->laid; i++)
        room[(r->leader + i) & 3]--;
    room[r->turn] = 0;
}

/* List the seats that have room for a card, and count them. */
static int list_seats(const Deals *deals, int card, const int room[4], int seats[4])
{
    int found = 0;
    for (int seat = 0; seat < 4; seat++)
        if (room[seat] && may_hold(deals, seat, card))
            seats[found++] = seat;
    return found;
}

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Deal at random, the cards first that have the fewest hands to go to. Say whether it came out. */
static int try_to_deal(Deals *deals)
{
    Deal *deal = &deals->deal;
    int room[4], seats[4];
    count_hands(&deals->question->round, room);
    for (int i = 0; i < deals->unseen; i++) {
        int best = i, fewest = 5, all = 0, at = 0;
        for (int j = i; j < deals->unseen; j++) {
            int found = list_seats(deals, deal->card[j], room, seats);
            if (found < fewest) {
                fewest = found;
                best = j;
            }
        }
        if (!fewest)
            return 0;
        swap(&deal->card[i], &deal->card[best]);
        list_seats(deals, deal->card[i], room, seats);
        for (int j = 0; j < fewest; j++)
            all += room[seats[j]];
        int place = draw_below(&deals->chance, all);
        while (place >= room[seats[at]])
            place -= room[seats[at++]];
        deal->seat[i] = seats[at];
        room[seats[at]]--;
    }
    return 1;
}

static void shuffle(Deals *deals)
{
    for (int i = deals->unseen - 1; i > 0; i--)
        swap(&deals->deal.card[i], &deals->deal.card[draw_below(&deals->chance, i + 1)]);
}

/* Whether a walk goes on to where the log likelihood is more by this. */
static int is_accepted(Deals *deals, double gain)
{
    return gain >= 0 || draw_unit(&deals->chance) < exp(gain);
}

static void step(Deals *deals)
{
    Deal *deal = &deals->deal;
    int i = draw_below(&deals->chance, deals->unseen);
    int j = draw_below(&deals->chance, deals->unseen);
    int a = deal->seat[i], b = deal->seat[j];
    if (a == b || !may_hold(deals, a, deal->card[j]) || !may_hold(deals, b, deal->card[i]))
        return;
    Cards exchanged = only(deal->card[i]) | only(deal->card[j]);
    double fit_a = fit_of_bid(deals->question, a, deal->dealt[a] ^ exchanged);
    double fit_b = fit_of_bid(deals->question, b, deal->dealt[b] ^ exchanged);
    if (!is_accepted(deals, fit_a + fit_b - deal->fit_of_bids[a] - deal->fit_of_bids[b]))
        return;
    deal->dealt[a] ^= exchanged;
    deal->dealt[b] ^= exchanged;
    deal->fit_of_bids[a] = fit_a;
    deal->fit_of_bids[b] = fit_b;
    deal->seat[i] = b;
    deal->seat[j] = a;
}

void begin_deals(Deals *deals, const Question *q)
{
    Deal *deal = &deals->deal;
    int card, self = q->round.turn, attempts = ATTEMPTS;
    *deals = (Deals){.question = q, .chance = {q->seed}};
    EACH(card, PACK ^ q->round.played ^ q->round.hands[self])
        deal->card[deals->unseen++] = card;
    do
        shuffle(deals);
    while (!try_to_deal(deals) && --attempts);
    for (int seat = 0; seat < 4; seat++)
        deal->dealt[seat] = q->played.by[seat] | q->round.hands[seat];
    for (int i = 0; i < deals->unseen; i++)
        deal->dealt[deal->seat[i]] |= only(deal->card[i]);
    for (int seat = 0; seat < 4; seat++)
        deal->fit_of_bids[seat] = fit_of_bid(q, seat, deal->dealt[seat]);
    for (int i = 0; i < FIRST_STEPS; i++)
        step(deals);
    deal->fit_of_play = fit_of_play(q, deal->dealt);
}

void next_deal(Deals *deals, Cards hands[4])
{
    Deal before = deals->deal;
    for (int i = 0; i < STEPS; i++)
        step(deals);
    deals->deal.fit_of_play = fit_of_play(deals->question, deals->deal.dealt);
    if (!is_accepted(deals, deals->deal.fit_of_play - before.fit_of_play))
        deals->deal = before;
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = deals->deal.dealt[seat] & ~deals->question->round.played;
}
