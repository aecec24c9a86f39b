/* How well a deal explains what the other seats have said. */
#include "view.h"

#include <math.h>

#include "calls.h"

/* Deals that are drawn for an answer, and how often a seat calls without a reason that is known. */
enum { DRAWN = 5000 };
static const double DOUBT = .01;

/* What an announcement that doesn't fit is taken for: on some tables nobody must announce. */
static const double UNSAID = .02;

static const Cards ACES = 0x80808080, TENS = 0x08080808;

/* What a hand is worth with each strain. */
static void worths_of(Cards hand, double worths[NO_TRUMP + 1])
{
    double plain = 0;
    memset(worths, 0, (NO_TRUMP + 1) * sizeof *worths);
    while (hand) {
        int card = take_lowest(&hand), rank = card % 8;
        plain += PLAIN[0][rank];
        worths[card / 8] += TRUMPS[rank] - PLAIN[0][rank];
        worths[NO_TRUMP] += PLAIN[1][rank];
    }
    for (int suit = 0; suit < 4; suit++)
        worths[suit] += plain;
}

/* The auction so far: the standing bid, and the last strain of each seat and all of them. */
typedef struct {
    Call bid;
    int last[4], strains[4], doubled;
} Auction;

static int is_over_partner(const Auction *auction, int seat)
{
    return auction->bid.level && !((auction->bid.seat ^ seat) & 1);
}

static double taste_for_bid(const Auction *auction, int seat, int strain)
{
    const double *weight = AUCTION[strain == NO_TRUMP];
    int above = auction->bid.level ? auction->bid.level - LOWEST_LEVEL + 1 : 0;
    int theirs = auction->strains[seat ^ 1] | auction->strains[seat ^ 3];
    double taste = weight[0] + weight[1] * !auction->bid.level + weight[2] * above;
    if (is_over_partner(auction, seat))
        taste += weight[3] + weight[4] * above;
    return taste + weight[5] * (auction->last[seat ^ 2] == strain)
        + weight[6] * (theirs >> strain & 1) + weight[7] * (auction->strains[seat] >> strain & 1);
}

static double taste_for_double(const Auction *auction, int seat, Cards hand)
{
    const double *weight = DOUBLES[auction->doubled];
    int strain = auction->bid.strain;
    Cards trumps = strain == NO_TRUMP ? 0 : hand & suit_cards(strain), plain = hand & ~trumps;
    int after = auction->doubled ? auction->bid.seat == seat : auction->last[seat ^ 2] >= 0;
    return weight[0] + weight[1] * (strain == NO_TRUMP) + weight[2] * auction->bid.level
        + weight[3] * count(trumps & ACES >> 3) + weight[4] * count(trumps & ACES >> 5)
        + weight[5] * count(trumps & (ACES | TENS)) + weight[6] * count(trumps)
        + weight[7] * count(plain & ACES) + weight[8] * count(plain & TENS) + weight[9] * after;
}

/* How likely a seat was to call like this, rather than anything else. */
static double chance_of_call(const Auction *auction, const Call *call, Cards hand,
                             const double *worths)
{
    double all = 1, said = 1;
    int may_double = auction->bid.level && !is_over_partner(auction, call->seat);
    for (int strain = 0; strain <= NO_TRUMP && !auction->doubled; strain++) {
        double taste = exp(worths[strain] + taste_for_bid(auction, call->seat, strain));
        all += taste;
        if (strain == call->strain)
            said = taste;
    }
    if (may_double || auction->doubled) {
        double taste = exp(taste_for_double(auction, call->seat, hand));
        all += taste;
        if (call->strain >= DOUBLED)
            said = taste;
    }
    return said / all;
}

/* How likely the other seats were to call as they did. */
static double chance_of_calls(const View *view, const Cards dealt[4])
{
    double likely = 1, worths[4][NO_TRUMP + 1];
    Auction auction = {.last = {PASSED, PASSED, PASSED, PASSED}};
    for (int seat = 0; seat < 4; seat++)
        worths_of(dealt[seat], worths[seat]);
    for (int i = 0; i < view->call_count; i++) {
        const Call *call = &view->calls[i];
        if (call->seat != view->seat)
            likely *= DOUBT + (1 - DOUBT)
                * chance_of_call(&auction, call, dealt[call->seat], worths[call->seat]);
        auction.doubled |= call->strain == DOUBLED;
        if (call->level) {
            auction.bid = *call;
            auction.last[call->seat] = call->strain;
            auction.strains[call->seat] |= 1 << call->strain;
        }
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

/* Deals that agree with the play, and the sums of their weights so far. */
static Cards drawn[DRAWN][4];
static double up_to[DRAWN];
static int count_drawn;

void draw_deals(View *view)
{
    const Unseen *unseen = &view->unseen;
    double sum = 0;
    count_drawn = view->ways == 1 ? 1 : DRAWN;
    for (int i = 0; i < count_drawn; i++) {
        uint8_t places[MOST_UNSEEN];
        Cards *hands = drawn[i];
        memcpy(hands, view->played, sizeof drawn[i]);
        hands[view->seat] |= view->hand;
        deal_unseen(unseen, &view->random, places);
        for (int at = 0; at < unseen->cards; at++)
            hands[(view->seat + 1 + places[at]) & 3] |= bit(unseen->card[at]);
        up_to[i] = sum += chance_of_calls(view, hands) * chance_of_announcements(view, hands);
    }
}

void deal_likely(View *view, Cards dealt[4])
{
    const Cards *hands = drawn[draw_weighted(up_to, count_drawn, &view->random)];
    memcpy(dealt, hands, sizeof drawn[0]);
}
