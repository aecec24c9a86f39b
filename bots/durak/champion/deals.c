#include "deals.h"

#include <math.h>

enum { FIRST_STEPS = 400 };

/* What tells of the cards that a seat still holds: the answer, and the kind of card. */
enum {
    LEADS_FAR_BELOW, LEADS_BELOW, LEADS_SAME, LEADS_ABOVE, LEADS_FAR_ABOVE, LEADS_LOW_TRUMP,
    LEADS_HIGH_TRUMP, /* a plain card is led, and these are held, by rank */
    LEADS_TRUMP_PLAIN, LEADS_TRUMP_BELOW, LEADS_TRUMP_ABOVE,
    BEATS_BELOW, BEATS_ABOVE, BEATS_TRUMP,   /* a card is beaten by one of its suit */
    TRUMPS_SUIT, TRUMPS_BELOW, TRUMPS_ABOVE, /* a plain card is beaten by a trump */
    TAKES_JUST_ABOVE, TAKES_ABOVE, TAKES_LOW_TRUMP, TAKES_HIGH_TRUMP, TAKES_TRUMP_ABOVE,
    THROWS_PLAIN, THROWS_TRUMP, /* and these match, too */
    DONE_LOW, DONE_HIGH, DONE_TRUMP,
    KINDS
};

enum { STAGES = 3 }; /* of the talon: much, little, nothing */

double factors[KINDS + 3][STAGES] = {
    {0.875, 0.56, 0.7},
    {0.7, 0.875, 0.7},
    {0.8, 1.56, 1},
    {1, 1, 1},
    {1, 1, 1},
    {1, 0.8, 1},
    {1, 1.25, 1},
    {1.71, 0.56, 0.7},
    {1.22, 0.4, 0.5},
    {3.05, 0.512, 1},
    {0.5, 0.4, 0.5},
    {0.64, 1.25, 1},
    {1, 1.25, 1},
    {0.3, 0.24, 0.3},
    {0.7, 0.7, 0.7},
    {1, 0.64, 1},
    {0.4, 0.4, 0.5},
    {0.625, 1.22, 0.5},
    {0.7, 2.67, 0.7},
    {1, 1.56, 1},
    {1, 0.64, 0.8},
    {0.64, 0.64, 1},
    {0.8, 0.262, 1},
    {0.7, 0.184, 0.7},
    {0.512, 0.21, 1},
    {1.28, 2.5, 2},
    {1.2, 0.64, 1},
    {0.358, 0.64, 1},
};

enum { MIDDLE = 7, HIGH = 9 };
static const double LACKS = .001;

static Cards trumps_of(const State *s) { return suit_cards(s->trump / RANKS); }

static Cards lower_ranks(int card) { return bit(card % RANKS) - 1; }

static Cards in_all_suits(Cards ranks) { return ranks * 0x8004002001; }

static void weigh(Knowledge *k, int seat, Cards cards, double factor)
{
    while (cards)
        k->weights[seat][take_lowest(&cards)] *= (float)factor;
}

/* Weighs cards by an answer. */
static void tell(Knowledge *k, const State *s, int seat, Cards cards, int kind)
{
    weigh(k, seat, cards, factors[kind][!s->left_in_talon ? 2 : s->left_in_talon <= 12]);
}

/* Those who could throw in before this seat, or at all, and were not asked have nothing to do so. */
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
    Cards trumps = trumps_of(s), plain = (bit(CARDS) - 1) & ~trumps;
    Cards below = in_all_suits(lower_ranks(card)), same = rank_cards(card % RANKS);
    int rank = card % RANKS;
    Cards above = ~(below | same);
    Cards far_below = in_all_suits(bit(rank > 3 ? rank - 3 : 0) - 1);
    Cards far_above = rank < 9 ? ~in_all_suits(bit(rank + 4) - 1) : 0;
    if (trumps >> card & 1) {
        tell(k, s, seat, plain, LEADS_TRUMP_PLAIN);
        tell(k, s, seat, trumps & below, LEADS_TRUMP_BELOW);
        tell(k, s, seat, trumps & above, LEADS_TRUMP_ABOVE);
        return;
    }
    tell(k, s, seat, plain & far_below, LEADS_FAR_BELOW);
    tell(k, s, seat, plain & below & ~far_below, LEADS_BELOW);
    tell(k, s, seat, plain & same, LEADS_SAME);
    tell(k, s, seat, plain & above & ~far_above, LEADS_ABOVE);
    tell(k, s, seat, plain & far_above, LEADS_FAR_ABOVE);
    tell(k, s, seat, trumps & in_all_suits(lower_ranks(MIDDLE)), LEADS_LOW_TRUMP);
    tell(k, s, seat, trumps & ~in_all_suits(lower_ranks(MIDDLE)), LEADS_HIGH_TRUMP);
}

static void defend(Knowledge *k, const State *s, int seat, int action)
{
    int attack = s->attacks[s->defended];
    Cards trumps = trumps_of(s), low = in_all_suits(lower_ranks(MIDDLE));
    Cards better = beating(s, attack), suit = better & suit_cards(attack / RANKS);
    Cards just_above = (bit(attack + 4) - 1) & suit;
    if (action < CARDS) {
        int in_suit = suit >> action & 1, is_trump = trumps >> attack & 1;
        Cards below = bit(action) - 1;
        tell(k, s, seat, in_suit ? suit & below : suit, in_suit ? BEATS_BELOW : TRUMPS_SUIT);
        if (in_suit)
            tell(k, s, seat, suit & ~below, BEATS_ABOVE);
        if (!is_trump) {
            tell(k, s, seat, in_suit ? trumps : trumps & below, in_suit ? BEATS_TRUMP : TRUMPS_BELOW);
            if (!in_suit)
                tell(k, s, seat, trumps & ~below, TRUMPS_ABOVE);
        }
    } else if (action == TAKE && suit == better) {
        tell(k, s, seat, suit, TAKES_TRUMP_ABOVE);
    } else if (action == TAKE) {
        tell(k, s, seat, just_above, TAKES_JUST_ABOVE);
        tell(k, s, seat, suit & ~just_above, TAKES_ABOVE);
        tell(k, s, seat, trumps & low, TAKES_LOW_TRUMP);
        tell(k, s, seat, trumps & ~low, TAKES_HIGH_TRUMP);
    }
}

/* Who is asked to throw in has a card for it. */
static void throw_in(Knowledge *k, const State *s, int seat, int size, int action)
{
    Cards trumps = trumps_of(s), low = in_all_suits(lower_ranks(HIGH)), matching = s->matching & k->unseen;
    double hidden = size - count(s->held[seat]), share = hidden / (hidden + s->left_in_talon + 6);
    pass_over(k, s, seat);
    if (action == DONE) {
        weigh(k, seat, matching, 1 / (1 - pow(1 - share, count(matching)) + 1e-6));
        tell(k, s, seat, matching & low & ~trumps, DONE_LOW);
        tell(k, s, seat, matching & ~low & ~trumps, DONE_HIGH);
        tell(k, s, seat, matching & trumps, DONE_TRUMP);
    } else {
        tell(k, s, seat, matching & ~trumps, THROWS_PLAIN);
        tell(k, s, seat, matching & trumps, THROWS_TRUMP);
    }
}

static void acts(void *own, const State *s, int seat, int size, int action)
{
    Knowledge *k = own;
    Cards trumps = trumps_of(s) & ~bit(s->trump);
    if (s->number == 1 && !s->attacked)
        for (int other = 0; other < s->table.seats; other++) {
            Cards lower = trumps & in_all_suits(lower_ranks(MIDDLE));
            weigh(k, other, lower, factors[other == seat ? KINDS : KINDS + 1][0]);
            weigh(k, other, trumps & ~lower, factors[other == seat ? KINDS : KINDS + 1][1]);
        }
    if (phase_of(s) == ATTACK && action < CARDS)
        lead(k, s, seat, action);
    else if (phase_of(s) == DEFEND)
        defend(k, s, seat, action);
    else if (phase_of(s) != ATTACK)
        throw_in(k, s, seat, size, action);
}

static void ends(void *own, const State *s)
{
    if (s->attacked && (s->taking || s->attacked == s->defended))
        pass_over(own, s, -1);
}

/* Of cards that a seat may hold now it held only a part before it drew. */
static void draws(void *own, const State *s, int seat, int had, int drawn)
{
    Knowledge *k = own;
    float *weights = k->weights[seat], sum = 0;
    float hidden = (float)(had - count(s->held[seat])), share = hidden / (hidden + (float)drawn);
    for (Cards cards = k->unseen; cards;)
        sum += weights[take_lowest(&cards)];
    float mean = sum > 0 ? sum / (float)count(k->unseen) : 1;
    for (int card = 0; card < CARDS; card++)
        weights[card] = share * weights[card] / mean + 1 - share;
}

static const Listener *listening_to(Knowledge *k)
{
    static Listener listener = {.acts = acts, .ends = ends, .draws = draws};
    listener.own = k;
    return &listener;
}

/* Two unseen cards exchange places, if they may. */
static void step(Deals *d)
{
    int i = below(&d->random, d->unseen), j = below(&d->random, d->unseen);
    const float *here = d->knowledge.weights[d->place[i]], *there = d->knowledge.weights[d->place[j]];
    uint8_t a = d->card[i], b = d->card[j];
    if (draw(&d->random) * (double)here[a] * (double)there[b] < (double)here[b] * (double)there[a]) {
        d->card[i] = b;
        d->card[j] = a;
    }
}

int begin_deals(Deals *d, const Question *question)
{
    memset(d, 0, sizeof *d);
    for (int place = 0; place <= MOST_SEATS; place++)
        for (int card = 0; card < CARDS; card++)
            d->knowledge.weights[place][card] = 1;
    State *s = &d->state;
    if (!read_durak(s, question->count, question->words, NULL))
        return 0;
    for (int seat = 0; seat < s->table.seats; seat++)
        if (seat != s->table.to_act)
            d->knowledge.unseen |= s->hands[seat] & ~s->held[seat];
    for (int place = 1; place < s->left_in_talon; place++)
        d->knowledge.unseen |= bit(s->talon[place]);
    memset(s, 0, sizeof *s);
    read_durak(s, question->count, question->words, listening_to(&d->knowledge));
    d->random = question->random;
    for (int seat = 0; seat < s->table.seats; seat++) {
        Cards hand = s->hands[seat], known = s->held[seat] | (s->left_in_talon ? 0 : bit(s->trump));
        if (seat == s->table.to_act || options_of(s)->open_hands)
            known = hand;
        d->known[seat] = hand & known;
        for (Cards hidden = hand & ~known; hidden; d->unseen++) {
            d->card[d->unseen] = (uint8_t)take_lowest(&hidden);
            d->place[d->unseen] = (uint8_t)seat;
        }
    }
    for (int place = 1; place < s->left_in_talon; place++, d->unseen++) {
        d->card[d->unseen] = s->talon[place];
        d->place[d->unseen] = IN_TALON;
    }
    if (phase_of(s) == THROW || phase_of(s) == GIVE)
        pass_over(&d->knowledge, s, s->table.to_act);
    for (int i = 0; d->unseen > 1 && i < FIRST_STEPS; i++)
        step(d);
    return 1;
}

void next_deal(Deals *d, State *s)
{
    int left = 1;
    for (int i = 0; d->unseen > 1 && i < d->unseen; i++)
        step(d);
    memcpy(s->hands, d->known, sizeof s->hands);
    for (int i = 0; i < d->unseen; i++)
        if (d->place[i] == IN_TALON)
            s->talon[left++] = d->card[i];
        else
            s->hands[d->place[i]] |= bit(d->card[i]);
}
