/* MS bids, WRP plays: spades-ms-wrp in C, answer for answer.

   A card is a number: 0 is 2C, 12 AC, then diamonds, hearts and, from 39 to 51, spades. A set of
   cards has bit n for card n. Where several cards are equally good, the first legal one is taken. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEN = 8, JACK, QUEEN, KING, ACE };
enum { SPADES = 3, FIRST_SPADE = 39 };
enum { NIL = 0, NO_BID = -1 };
enum { GAME, PHASE, LEGAL, SEAT, DEALER, HAND, BIDS, HISTORY, TRICK, TOOK, WORDS = 32 };

static const char RANKS[] = "23456789TJQKA", SUITS[] = "CDHS";

typedef struct { int count, card[52]; } Cards;
typedef int Key(int card);

/* What the question tells. */
static struct {
    int seat, partner, leader, bids[4], took[4];
    bool blind[4];
    Cards hand, legal, trick;
    uint64_t unseen;
} table;

static int rank(int card) { return card % 13; }
static int suit(int card) { return card / 13; }
static bool is_spade(int card) { return card >= FIRST_SPADE; }

/* Reading a question */

/* All cards of a text, whatever stands between them. */
static Cards cards(const char *text)
{
    Cards found = { 0 };
    for (; text[0] && text[1]; text++) {
        const char *r = strchr(RANKS, text[0]), *s = strchr(SUITS, text[1]);
        if (r && s)
            found.card[found.count++] = 13 * (int)(s - SUITS) + (int)(r - RANKS);
    }
    return found;
}

static uint64_t set(Cards of)
{
    uint64_t bits = 0;
    for (int i = 0; i < of.count; i++)
        bits |= UINT64_C(1) << of.card[i];
    return bits;
}

static void read_table(char *words[])
{
    const char *bid = words[BIDS], *took = words[TOOK];

    table.seat = atoi(words[SEAT]);
    table.partner = (table.seat + 2) % 4;
    for (int seat = 0; seat < 4; seat++) {
        table.blind[seat] = *bid == 'B';
        table.bids[seat] = *bid == 'B' ? NIL : *bid == '-' ? NO_BID : atoi(bid);
        table.took[seat] = atoi(took);
        bid += strcspn(bid, ",") + 1;
        took += strcspn(took, ",") + 1;
    }
    table.hand = cards(words[HAND]);
    table.legal = cards(words[LEGAL]);
    table.trick = cards(words[TRICK]);
    table.leader = table.trick.count ? atoi(words[TRICK]) : table.seat;
    table.unseen = ~(set(table.hand) | set(table.trick) | set(cards(words[HISTORY])));
    table.unseen &= (UINT64_C(1) << 52) - 1;
}

/* What a player wants to know */

static int left_of(int seat) { return (seat + 1) % 4; }

static int length(int of_suit)
{
    int count = 0;
    for (int i = 0; i < table.hand.count; i++)
        count += suit(table.hand.card[i]) == of_suit;
    return count;
}

static bool holds(int of_suit, int of_rank)
{
    return set(table.hand) >> (13 * of_suit + of_rank) & 1;
}

static bool tries_nil(int seat) { return table.bids[seat] == NIL && table.took[seat] == 0; }

/* The tricks that a seat's side still needs; what a failed nil takes does not help. */
static int missing(int seat)
{
    const int partner = (seat + 2) % 4;
    int short_of = 0;
    if (table.bids[seat] > NIL)
        short_of += table.bids[seat] - table.took[seat];
    if (table.bids[partner] > NIL)
        short_of += table.bids[partner] - table.took[partner];
    return short_of > 0 ? short_of : 0;
}

/* Whether nobody else holds a higher card of its suit. */
static bool is_boss(int card)
{
    const uint64_t of_suit = UINT64_C(0x1FFF) << 13 * suit(card);
    return !(table.unseen & of_suit >> (card + 1) << (card + 1));
}

static bool beats(int card, int best)
{
    return suit(card) == suit(best) ? card > best : is_spade(card);
}

static int best_of(Cards trick)
{
    int best = trick.card[0];
    for (int i = 1; i < trick.count; i++)
        if (beats(trick.card[i], best))
            best = trick.card[i];
    return best;
}

/* Whether the own contract is not full yet, or one or two tricks would sink theirs. */
static bool wants_tricks(void)
{
    const int theirs = missing(left_of(table.seat)), spare = table.hand.count - theirs;
    return missing(table.seat) > 0 || (theirs > 0 && 0 <= spare && spare <= 1);
}

/* Choosing a card: the first with the smallest, or the greatest, key */

static int least(Cards of, Key *key)
{
    int found = of.card[0];
    for (int i = 1; i < of.count; i++)
        if (key(of.card[i]) < key(found))
            found = of.card[i];
    return found;
}

static int most(Cards of, Key *key)
{
    int found = of.card[0];
    for (int i = 1; i < of.count; i++)
        if (key(of.card[i]) > key(found))
            found = of.card[i];
    return found;
}

static Cards only(Cards of, bool wanted(int card))
{
    Cards found = { 0 };
    for (int i = 0; i < of.count; i++)
        if (wanted(of.card[i]))
            found.card[found.count++] = of.card[i];
    return found;
}

static bool takes_trick(int card) { return beats(card, best_of(table.trick)); }
static bool loses_trick(int card) { return !takes_trick(card); }

static int cost(int card) { return rank(card) + 13 * is_spade(card); }
static int side_and_short(int card) { return 100 * is_spade(card) + length(suit(card)); }
static int side_short_and_low(int card) { return 100 * side_and_short(card) + rank(card); }
static int high_and_short(int card) { return 100 * rank(card) - length(suit(card)); }
static int high_and_spade(int card) { return 2 * rank(card) + is_spade(card); }

/* WRP */

static int lead(void)
{
    const int low = least(table.legal, rank), left = left_of(table.seat);

    if (tries_nil(table.seat))
        return low;
    if (tries_nil(table.partner))
        return most(table.legal, rank);
    if (tries_nil(left) || tries_nil((left + 2) % 4) || !wants_tricks())
        return low;
    const Cards sure = only(table.legal, is_boss);
    if (sure.count)     /* side suits first: the longer they wait, the likelier somebody cuts */
        return least(sure, side_and_short);
    return least(table.legal, side_short_and_low);
}

static int follow(void)
{
    const int best = best_of(table.trick);
    const bool last = table.trick.count == 3;
    const Cards takes = only(table.legal, takes_trick), loses = only(table.legal, loses_trick);
    const Cards sure = only(takes, is_boss);
    int winner = table.leader;

    for (int i = 0; table.trick.card[i] != best; i++)
        winner = left_of(winner);
    const int cheapest = takes.count ? least(takes, cost) : -1;
    const int dearest = takes.count ? most(takes, cost) : -1;
    const int duck = loses.count ? most(loses, high_and_short) : -1;
    const int stay_below = loses.count ? duck : cheapest;

    if (tries_nil(table.seat))
        return stay_below;
    if (tries_nil(table.partner)) {
        if (winner == table.partner && takes.count)
            return last ? cheapest : dearest;
    } else if (tries_nil(winner)) {
        return stay_below;
    }
    if (!wants_tricks())
        return loses.count ? duck : last ? dearest : cheapest;
    const int away = least(table.legal, cost);
    if (!takes.count || (winner == table.partner && (last || is_boss(best))))
        return away;
    if (last || suit(cheapest) != suit(table.trick.card[0]))    /* nobody follows, or it is a cut */
        return cheapest;
    if (winner == table.partner && rank(best) >= JACK)
        return away;
    if (sure.count)
        return least(sure, cost);
    return table.trick.count == 2 ? dearest : away;
}

/* MS */

/* Whether there are at most three spades, and the lowest cards of every suit are low. */
static bool is_low(void)
{
    static const int LOW_ENOUGH[] = { 3, 6, 8 };    /* the ranks 5, 8 and T */

    if (length(SPADES) > 3)
        return false;
    for (int s = 0; s < 4; s++)
        for (int r = 0, place = 0; r <= ACE && place < 3; r++)
            if (holds(s, r) && r > LOW_ENOUGH[place++])
                return false;
    return true;
}

static int count_tricks(void)
{
    const int spades = length(SPADES);
    int tricks = 0;
    bool is_short = false;

    for (int s = 0; s < 4; s++) {
        tricks += holds(s, ACE);
        tricks += holds(s, KING) && length(s) > 1;
        is_short = is_short || (s != SPADES && length(s) <= 1);
    }
    tricks += holds(SPADES, QUEEN) && (spades > 2 || (spades == 2 && holds(SPADES, ACE)));
    tricks += spades > 3 ? spades - 3 : 0;
    tricks -= spades <= 1;
    tricks += spades == 3 && is_short;
    return tricks;
}

static int bid(const char *range)
{
    const int low = atoi(range), high = atoi(strrchr(range, '.') + 1), tricks = count_tricks();
    int wanted = tricks > 1 ? tricks : 1;

    if (table.bids[table.partner] != NIL && is_low())
        wanted = NIL;
    return wanted < low ? low : wanted > high ? high : wanted;
}

/* A card for the partner: a blind nil gives its highest, the partner its lowest. */
static int give(void)
{
    return (table.blind[table.seat] ? most : least)(table.legal, high_and_spade);
}

/* The protocol */

static void answer(char *words[])
{
    const char *phase = words[PHASE];

    read_table(words);
    if (!strcmp(phase, "bid")) {
        printf("%d\n", bid(words[LEGAL]));
    } else if (!strcmp(phase, "blind")) {
        puts("-");
    } else {
        const int card = !strcmp(phase, "pass") ? give() : table.trick.count ? follow() : lead();
        printf("%c%c\n", RANKS[rank(card)], SUITS[suit(card)]);
    }
    fflush(stdout);
}

int main(int argc, char *argv[])
{
    char *line = NULL, *words[WORDS];
    size_t room = 0;

    if (argc > TOOK) {
        answer(argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {
        int count = 0;
        if (line[0] == '#')
            continue;
        for (char *word = strtok(line, " \n"); word && count < WORDS; word = strtok(NULL, " \n"))
            words[count++] = word;
        if (count > TOOK)
            answer(words);
    }
    return 0;
}
