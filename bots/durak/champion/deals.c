/* What the others have played makes cards more or less likely in their hands, by factors that were
 * fitted to games of champions; the walk is the algorithm of [Metropolis 1953]. */
#include "deals.h"

#include <math.h>

/* An answer, and the cards that its seat still holds more or less likely than others then. */
enum {
    LEADS_LOWER, LEADS_SAME,        /* a plain card is led; lower plain cards, those of its rank */
    LEADS_TRUMP_PLAIN, LEADS_TRUMP, /* a trump is led; plain cards, other trumps */
    BEATS_LOWER,                    /* cards of the suit that would have beaten, too, for less */
    TRUMPS_SUIT, TRUMPS_LOWER,      /* a plain card is beaten by a trump; the same */
    TAKES_SUIT, TAKES_TRUMP,        /* a plain card is taken; what would have beaten it */
    THROWS_PLAIN, THROWS_TRUMP,     /* a card is thrown in; others that could have been */
    DONE_PLAIN, DONE_TRUMP,         /* none is, though the seat has one that could be */
    FIRST_TRUMP, OTHERS_TRUMP,      /* low trumps, as the lowest one begins */
    KINDS
};

/* While more than this is in the talon, and later. */
enum { MUCH = 12, MIDDLE = 7 };

static const double factors[KINDS][2] = {
    [LEADS_LOWER] = {.75, .60}, [LEADS_SAME] = {.80, 1.6}, [LEADS_TRUMP_PLAIN] = {.64, .50},
    [LEADS_TRUMP] = {1, .40}, [BEATS_LOWER] = {.62, .40}, [TRUMPS_SUIT] = {.30, .24},
    [TRUMPS_LOWER] = {.56, .70}, [TAKES_SUIT] = {.62, .64}, [TAKES_TRUMP] = {1, 2},
    [THROWS_PLAIN] = {.64, .64}, [THROWS_TRUMP] = {.80, .47}, [DONE_PLAIN] = {.60, .20},
    [DONE_TRUMP] = {1.3, 2.5}, [FIRST_TRUMP] = {.77, 1.2}, [OTHERS_TRUMP] = {.20, .40},
};

static const double LACKS = .001; /* what a seat can't hold: not 0, as the table may differ */

static Cards trumps_of(const State *s) { return suit_cards(s->trump / RANKS); }

/* All cards of lower ranks than this one. */
static Cards lower_than(int card) { return (bit(card % RANKS) - 1) * rank_cards(0); }

static void weigh(Knowledge *k, int seat, Cards cards, double factor)
{
    for (cards &= k->unseen; cards;)
        k->weights[seat][take_lowest(&cards)] *= (float)factor;
}

static void tell(Knowledge *k, const State *s, int seat, Cards cards, int kind)
{
    weigh(k, seat, cards, factors[kind][s->left_in_talon <= MUCH]);
}

/* Who could throw in, before this seat or -1 for all, and was not asked has nothing to throw in. */
static void pass_over(Knowledge *k, const State *s, int asked)
{
    int seats = s->table.seats, seat = s->attacker;
    if (s->attacked >= s->limit)
        return;
    for (int turn = 0; turn < seats && seat != asked; turn++, seat = (s->defender + turn) % seats)
        if (seat != s->defender && !(s->done[s->attacked - 1] >> seat & 1))
            weigh(k, seat, s->matching, LACKS);
}

static void lead(Knowledge *k, const State *s, int seat, int card)
{
    Cards trumps = trumps_of(s);
    if (trumps >> card & 1) {
        tell(k, s, seat, ~trumps, LEADS_TRUMP_PLAIN);
        tell(k, s, seat, trumps, LEADS_TRUMP);
    } else {
        tell(k, s, seat, lower_than(card) & ~trumps, LEADS_LOWER);
        tell(k, s, seat, rank_cards(card % RANKS) & ~trumps, LEADS_SAME);
    }
}

static void defend(Knowledge *k, const State *s, int seat, int action)
{
    int attack = s->attacks[s->defended];
    Cards better = beating(s, attack), suit = better & suit_cards(attack / RANKS);
    Cards trumps = better & ~suit;
    if (action == TAKE) {
        tell(k, s, seat, suit, TAKES_SUIT);
        tell(k, s, seat, trumps, TAKES_TRUMP);
    } else if (action < CARDS && suit >> action & 1) {
        tell(k, s, seat, suit & lower_than(action), BEATS_LOWER);
    } else if (action < CARDS) {
        tell(k, s, seat, suit, TRUMPS_SUIT);
        tell(k, s, seat, trumps & lower_than(action), TRUMPS_LOWER);
    }
}

/* Who is asked has at least one of the cards, and so each of them is more likely. */
static void throw_in(Knowledge *k, const State *s, int seat, int size, int action)
{
    Cards trumps = s->matching & trumps_of(s), plain = s->matching & ~trumps;
    double hidden = size - count(s->held[seat]);
    double share = hidden / (hidden + s->left_in_talon + HAND);
    pass_over(k, s, seat);
    if (action == DONE && hidden > 0) {
        weigh(k, seat, s->matching, 1 / (1 - pow(1 - share, count(s->matching & k->unseen))));
        tell(k, s, seat, plain, DONE_PLAIN);
        tell(k, s, seat, trumps, DONE_TRUMP);
    } else if (action != DONE) {
        tell(k, s, seat, plain, THROWS_PLAIN);
        tell(k, s, seat, trumps, THROWS_TRUMP);
    }
}

static void acts(void *own, const State *s, int seat, int size, int action)
{
    Knowledge *k = own;
    int phase = phase_of(s);
    if (phase == ATTACK && s->number == 1)
        for (int other = 0; other < s->table.seats; other++)
            tell(k, s, other, trumps_of(s) & lower_than(MIDDLE),
                 other == seat ? FIRST_TRUMP : OTHERS_TRUMP);
    if (phase == ATTACK && action < CARDS)
        lead(k, s, seat, action);
    else if (phase == DEFEND)
        defend(k, s, seat, action);
    else if (phase != ATTACK)
        throw_in(k, s, seat, size, action);
}

static void ends(void *own, const State *s)
{
    if (s->attacked && (s->taking || s->attacked == s->defended))
        pass_over(own, s, -1);
}

/* Of the cards that a seat may hold now it held only a part before it drew. */
static void draws(void *own, const State *s, int seat, int had, int drawn)
{
    Knowledge *k = own;
    float *weights = k->weights[seat], sum = 0, hidden = (float)(had - count(s->held[seat]));
    float share = hidden / (hidden + (float)drawn);
    for (Cards cards = k->unseen; cards;)
        sum += weights[take_lowest(&cards)];
    for (Cards cards = k->unseen; cards;) {
        int card = take_lowest(&cards);
        weights[card] = share * weights[card] * (float)count(k->unseen) / sum + 1 - share;
    }
}

/* Adds the unseen cards among these, which lie in one place. */
static void add_unseen(Deals *d, Cards cards, int place)
{
    for (d->knowledge.unseen |= cards; cards; d->unseen++) {
        d->card[d->unseen] = (uint8_t)take_lowest(&cards);
        d->place[d->unseen] = (uint8_t)place;
    }
}

/* Two unseen cards exchange places, or not, as that is less likely. */
static void step(Deals *d)
{
    int i = below(&d->random, d->unseen), j = below(&d->random, d->unseen);
    const float *here = d->knowledge.weights[d->place[i]];
    const float *there = d->knowledge.weights[d->place[j]];
    uint8_t a = d->card[i], b = d->card[j];
    if (draw(&d->random) * here[a] * there[b] < here[b] * there[a]) {
        d->card[i] = b;
        d->card[j] = a;
    }
}

static void walk(Deals *d, int steps)
{
    for (int i = 0; d->unseen > 1 && i < steps; i++)
        step(d);
}

int begin_deals(Deals *d, const Question *question)
{
    Listener listener = {&d->knowledge, acts, ends, draws};
    Cards talon = 0;
    State *s = &d->state;
    memset(d, 0, sizeof *d);
    d->random = question->random;
    if (!read_durak(s, question->count, question->words, NULL))
        return 0;
    for (int seat = 0; seat < s->table.seats; seat++) {
        Cards known = s->held[seat] | (s->left_in_talon ? 0 : bit(s->trump));
        int is_seen = seat == s->table.to_act || options_of(s)->open_hands;
        d->known[seat] = s->hands[seat] & (is_seen ? ~(Cards)0 : known);
        add_unseen(d, s->hands[seat] & ~d->known[seat], seat);
    }
    for (int place = 1; place < s->left_in_talon; place++)
        talon |= bit(s->talon[place]);
    add_unseen(d, talon, IN_TALON);
    for (int place = 0; place <= MOST_SEATS; place++)
        for (int card = 0; card < CARDS; card++)
            d->knowledge.weights[place][card] = 1;
    memset(s, 0, sizeof *s);
    read_durak(s, question->count, question->words, &listener);
    if (s->attacked && phase_of(s) != DEFEND)
        pass_over(&d->knowledge, s, s->table.to_act);
    walk(d, FIRST_STEPS);
    return 1;
}

void next_deal(Deals *d, State *s)
{
    int left = 1;
    walk(d, d->unseen);
    memcpy(s->hands, d->known, sizeof s->hands);
    for (int i = 0; i < d->unseen; i++)
        if (d->place[i] == IN_TALON)
            s->talon[left++] = d->card[i];
        else
            s->hands[d->place[i]] |= bit(d->card[i]);
}
