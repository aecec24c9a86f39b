#include "belief.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 24 };

/* A hand bids a strain that is worth this for the level and is the more likely to, the more it is
   worth: one that is worth SPREAD more, e times as likely as before against a pass. */
static const double OPENING = 34, A_LEVEL = 5, SPREAD = 6;

/* What an announcement that doesn't fit is taken for: on some tables nobody must announce. */
static const double UNSAID = .02;

static const uint8_t TRUMP[8] = {
    [QUEEN] = 3, [KING] = 4, [TEN] = 10, [ACE] = 11, [NINE] = 14, [JACK] = 20};
static const uint8_t PLAIN[8] = {[JACK] = 1, [QUEEN] = 1, [KING] = 2, [TEN] = 5, [ACE] = 9};

enum { LENGTH = 2 };

/* Sums over the cards of a suit, for every set of ranks. */
static const uint8_t *sums(const uint8_t *points, int each, uint8_t *room)
{
    for (int ranks = 1; ranks < 256; ranks++)
        room[ranks] = room[ranks & (ranks - 1)] + points[lowest(ranks)] + each;
    return room;
}

double worth_of(Cards hand, int strain)
{
    static uint8_t trump_room[256], plain_room[256];
    static const uint8_t *trump, *plain;
    if (!plain) {
        trump = sums(TRUMP, LENGTH, trump_room);
        plain = sums(PLAIN, 0, plain_room);
    }
    int sum = 0;
    for (int suit = CLUBS; suit <= SPADES; suit++) {
        const int ranks = hand >> 8 * suit & 0xFF;
        sum += suit == strain ? trump[ranks] : plain[ranks];
    }
    return strain == NO_TRUMP ? 1.5 * sum : sum;
}

static double need(int level) { return OPENING + A_LEVEL * (level - LOWEST_LEVEL); }

/* How likely the other seats were to call as they did. Of a seat's passes the first one counts,
   where it came before any bid of its own: later ones say little that is new. */
static double chance_of_calls(const Question *question, const Cards dealt[4])
{
    double likely = 1, worth[4][STRAINS];
    bool known[4] = {false}, spoke[4] = {false};
    int lowest_level = LOWEST_LEVEL;
    for (int i = 0; i < question->call_count; i++) {
        const Call *call = &question->calls[i];
        const int seat = call->seat;
        const bool counts = call->kind == BID || (call->kind == PASS && !spoke[seat]);
        spoke[seat] = true;
        if (seat != question->seat && counts) {
            if (!known[seat])
                for (int strain = CLUBS; strain < STRAINS; strain++)
                    worth[seat][strain] = worth_of(dealt[seat], strain);
            known[seat] = true;
            double all = 1, said = 1;
            for (int strain = CLUBS; strain < STRAINS; strain++) {
                const bool bid = call->kind == BID && call->strain == strain;
                const double taste =
                    exp((worth[seat][strain] - need(bid ? call->level : lowest_level)) / SPREAD);
                all += taste;
                if (bid)
                    said = taste;
            }
            likely *= said / all;
        }
        if (call->kind == BID)
            lowest_level = call->level + 1;
    }
    return likely;
}

static double chance_of_announcements(const Question *question, const Cards dealt[4])
{
    double likely = 1;
    const Played *first = &question->tricks[0];
    for (int step = 0; step < first->count; step++) {
        const int seat = (first->leader + step) & 3;
        if (seat == question->seat)
            continue;
        const Declared declared = declared_of(dealt[seat], question->contract.strain);
        if (memcmp(declared.said, question->said[seat], CLASSES))
            likely *= UNSAID;
    }
    return likely;
}

void deal_likely(const Question *question, const Unseen *unseen, const Order *order, Chance *chance,
                 Cards hands[4], Cards dealt[4])
{
    const int candidates = question->open ? 1 : CANDIDATES;
    Cards played[4] = {0};
    for (int i = 0; i <= question->finished; i++)
        for (int step = 0; step < question->tricks[i].count; step++)
            played[(question->tricks[i].leader + step) & 3] |= bit(question->tricks[i].cards[step]);

    double sum = 0;
    for (int i = 0; i < candidates; i++) {
        Cards held[4], were[4];
        if (!question->open)
            deal_unseen(unseen, chance, held);
        for (int seat = 0; seat < 4; seat++) {
            if (question->open)
                held[seat] = question->hands[seat];
            else if (order)
                held[seat] = to_names(order, held[seat]);
            were[seat] = held[seat] | played[seat];
        }
        const double likely =
            chance_of_calls(question, were) * chance_of_announcements(question, were);
        sum += likely;
        if (!i || drawn(chance) * sum < likely) {
            memcpy(hands, held, sizeof held);
            memcpy(dealt, were, sizeof were);
        }
    }
}
