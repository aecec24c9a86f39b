/* How well a deal explains what the other seats have said. */
#include "view.h"

#include <math.h>

enum { CANDIDATES = 24 };

/* A hand bids a strain that is worth this for the level and is the more likely to, the more it is
 * worth: one that is worth SPREAD more, e times as likely as before against a pass. */
static const double OPENING = 34, A_LEVEL = 5, SPREAD = 6;

/* What an announcement that doesn't fit is taken for: on some tables nobody must announce. */
static const double UNSAID = .02;

/* What the ranks 7 8 9 T J Q K A are worth in trumps, each with 2 for its length, and elsewhere. */
static const int8_t WORTH[2][8] = {{0, 0, 0, 5, 1, 1, 2, 9}, {2, 2, 16, 12, 22, 5, 6, 13}};

/* What a hand is worth with each strain, on the scale of its trumps' points: about 4 for each level
 * that it should bid. */
static void worths_of(Cards hand, double worths[NO_TRUMP + 1])
{
    int plain = 0, more[4] = {0}; /* by which a suit is worth more as trumps */
    while (hand) {
        int card = take_lowest(&hand);
        plain += WORTH[0][card % 8];
        more[card / 8] += WORTH[1][card % 8] - WORTH[0][card % 8];
    }
    for (int suit = 0; suit < 4; suit++)
        worths[suit] = plain + more[suit];
    worths[NO_TRUMP] = 1.5 * plain;
}

static double need(int level) { return OPENING + A_LEVEL * (level - LOWEST_LEVEL); }

/* How likely the other seats were to call as they did. */
static double chance_of_calls(const View *view, const Cards dealt[4])
{
    double likely = 1, worths[4][NO_TRUMP + 1];
    int known = 0;
    for (int i = 0; i < view->call_count; i++) {
        Call call = view->calls[i];
        double all = 1, said = 1;
        if (!(known >> call.seat & 1))
            worths_of(dealt[call.seat], worths[call.seat]);
        known |= 1 << call.seat;
        for (int strain = 0; strain <= NO_TRUMP; strain++) {
            int level = strain == call.strain ? call.level : call.lowest;
            double taste = exp((worths[call.seat][strain] - need(level)) / SPREAD);
            all += taste;
            if (strain == call.strain)
                said = taste;
        }
        likely *= said / all;
    }
    return likely;
}

static double chance_of_announcements(const View *view, const Cards dealt[4])
{
    double likely = 1;
    for (int seat = 0; seat < 4; seat++) {
        int said[BELOTE + 1] = {0};
        if (seat == view->seat || !view->played[seat])
            continue;
        Declared declared = declarations_of(&view->state, dealt[seat], LARGEST);
        for (int i = 0; i < declared.count; i++)
            said[declared.of[i].class]++;
        if (memcmp(said, view->said[seat], sizeof view->said[seat]))
            likely *= UNSAID;
    }
    return likely;
}

void deal_likely(View *view, Cards dealt[4])
{
    const Unseen *unseen = &view->unseen;
    double sum = 0;
    for (int i = 0; i < (view->ways == 1 ? 1 : CANDIDATES); i++) {
        uint8_t places[MOST_UNSEEN];
        Cards hands[4];
        memcpy(hands, view->played, sizeof hands);
        hands[view->seat] |= view->hand;
        deal_unseen(unseen, &view->random, places);
        for (int at = 0; at < unseen->cards; at++)
            hands[(view->seat + 1 + places[at]) & 3] |= bit(unseen->card[at]);
        double likely = chance_of_calls(view, hands) * chance_of_announcements(view, hands);
        sum += likely;
        if (!i || draw(&view->random) * sum < likely)
            memcpy(dealt, hands, sizeof hands);
    }
}
