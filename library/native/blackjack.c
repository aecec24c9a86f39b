/* Blackjack. Cards are numbered 2C, 3C ... AC, 2D ... AS. Rules are cited from
 * docs/rules/blackjack.md. */
#include "game.h"

enum { HIT, STAND, DOUBLE, RAISE_LOW, ACTIONS = RAISE_LOW + 4 };
enum { CARDS = 52, RANKS = 13, ACE = 12, BUY_IN = 10, DEALER = -1, SEATS = 4 };
enum { PLAYING, STANDING, BUSTED, OUT };
enum { AT_LEAST_10, OVER_10, OVER_20 }; /* afford */
enum { ROUND, EXHAUSTED, HAND };        /* shoe */

/* The most cards of a seat and of all in a hand, but for the dealer's first two. They come from two
 * packs at most, so of each rank there are eight: 14 cards are less than 22 points, and 36 are less
 * than four seats and the dealer can hold; then each may get one more. */
enum { MOST_OWN = 16, MOST_DEALT = 40 };

/* The places of an observation: library/encodings/blackjack.py. */
enum {
    SEEN_SEAT = 0,
    SEEN_DOUBLE = SEEN_SEAT + SEATS,
    SEEN_SCORE = SEEN_DOUBLE + 1,
    SEEN_SOFT = SEEN_SCORE + 1,
    SEEN_HAND = SEEN_SOFT + 1,
    SEEN_OPEN = SEEN_HAND + MOST_OWN,
    SEEN_DEALT = SEEN_OPEN + RANKS,
    SEEN_SEEN = SEEN_DEALT + MOST_DEALT,
    SEEN_STAKE = SEEN_SEEN + RANKS,
    SEEN_CHIPS = SEEN_STAKE + 5,
    FEATURES = SEEN_CHIPS + 5,
};

typedef struct {
    int32_t start_chips, hands, dealer_stands_at, push_returns, buy_in_per_round, afford,
        visible_round, hidden_first, dealer_first, shoe, whole_turns, lower_letters, credit,
        bet_zero, no_fractions, strict_answers, move_cap;
} Options;

typedef struct {
    int64_t chips, stake;
    int32_t moves, hands, won;
    int8_t state, cards, total, aces; /* aces count 1 in the total */
    uint8_t ranks[MOST_OWN];
} Spot;

typedef struct {
    Table table;
    Spot spots[SEATS];
    int32_t hand;              /* the hand's number */
    int8_t due[2 * SEATS + 2]; /* the places that get a card when a hand begins, in order */
    int8_t due_cards, given;   /* how many these are, and how many have got theirs */
    int8_t last;               /* the seat that moved last */
    int8_t drawn;              /* cards of the pack that are gone */
    int8_t dealer_cards, dealer_total, dealer_aces, dealt_cards;
    uint8_t open_card, hidden_card;
    uint8_t named_before;      /* the last rank of the hands before, from 1; 0 for none */
    uint8_t seen[RANKS];       /* the visible cards of each rank, 127 at most */
    uint8_t dealt[MOST_DEALT]; /* the ranks of the seats' cards in order, then the dealer's draws */
    uint8_t pack[CARDS];
} State;

static const Options *options_of(const State *s) { return (const Options *)s->table.options; }

static int points_of(int rank) { return rank == ACE ? 1 : rank < 8 ? rank + 2 : 10; }

/* The best total that is not over 21, or 0 (rule a.5). */
static int score(int total, int aces)
{
    if (aces && total <= 11)
        total += 10;
    return total <= 21 ? total : 0;
}

static int dealer_score(const State *s) { return score(s->dealer_total, s->dealer_aces); }

static void start(void *state)
{
    State *s = state;
    for (int seat = 0; seat < s->table.seats; seat++)
        s->spots[seat].chips = options_of(s)->start_chips;
    s->table.to_act = CHANCE;
}

static int pack(const void *state, uint8_t *cards)
{
    (void)state;
    return full_pack(cards, CARDS);
}

static void see(State *s, int card)
{
    uint8_t *seen = &s->seen[card % RANKS];
    *seen += *seen < 127;
}

static void name_dealt(State *s, int card)
{
    see(s, card);
    s->dealt[s->dealt_cards++] = (uint8_t)(card % RANKS);
}

static void give_dealer(State *s, int card)
{
    s->dealer_total += (int8_t)points_of(card % RANKS);
    s->dealer_aces += card % RANKS == ACE;
    if (++s->dealer_cards == 1) {
        s->open_card = (uint8_t)card;
        see(s, card);
    } else if (s->dealer_cards == 2) {
        s->hidden_card = (uint8_t)card;
    } else {
        name_dealt(s, card);
    }
}

static void give_seat(State *s, Spot *spot, int card)
{
    spot->ranks[spot->cards++] = (uint8_t)(card % RANKS);
    spot->total += (int8_t)points_of(card % RANKS);
    spot->aces += card % RANKS == ACE;
    if (spot->total > 21)
        spot->state = BUSTED;
    name_dealt(s, card);
}

/* Gives the next card to a seat, or to the dealer. */
static void give(State *s, int place)
{
    int card = s->pack[s->drawn++];
    if (place == DEALER)
        give_dealer(s, card);
    else
        give_seat(s, &s->spots[place], card);
}

static int32_t as_score(int64_t chips)
{
    return (int32_t)(chips < INT32_MIN ? INT32_MIN : chips > INT32_MAX ? INT32_MAX : chips);
}

static void end_round(State *s)
{
    s->table.to_act = OVER;
    for (int seat = 0; seat < s->table.seats; seat++) {
        const Spot *spot = &s->spots[seat];
        s->table.scores[seat] = as_score(spot->chips - options_of(s)->start_chips);
        s->table.hands[seat] = spot->hands;
        s->table.won[seat] = spot->won;
    }
}

/* Takes the buy-ins; returns whether a seat is in (rule b.1). */
static int buy_in(State *s)
{
    static const int8_t least[] = {BUY_IN, BUY_IN + 1, 2 * BUY_IN + 1}; /* by `afford` */
    const Options *o = options_of(s);
    int paid = o->buy_in_per_round && s->hand, seats_in = 0;
    for (int seat = 0; seat < s->table.seats; seat++) {
        Spot *spot = &s->spots[seat];
        int is_in = paid ? spot->state != OUT : spot->chips >= least[o->afford];
        spot->stake = is_in && !paid ? BUY_IN : 0;
        spot->chips -= spot->stake;
        spot->state = is_in ? PLAYING : OUT;
        spot->moves = spot->cards = spot->total = spot->aces = 0;
        memset(spot->ranks, 0, sizeof spot->ranks);
        spot->hands += is_in;
        seats_in += is_in;
    }
    return seats_in > 0;
}

static void add_due(State *s, int place) { s->due[s->due_cards++] = (int8_t)place; }

static void add_due_seats(State *s)
{
    for (int seat = 0; seat < s->table.seats; seat++)
        if (s->spots[seat].state != OUT)
            add_due(s, seat);
}

static void proceed(State *s);

/* Begins a hand (rules b.1 to b.5), or ends the round if no seat can pay (rule a.3). */
static void new_hand(State *s)
{
    const Options *o = options_of(s);
    if (s->hand == o->hands || !buy_in(s)) {
        end_round(s);
        return;
    }
    if (o->shoe == HAND && s->hand)
        s->drawn = CARDS;
    if (o->visible_round)
        s->named_before = s->hand ? s->dealt[s->dealt_cards - 1] + 1 : 0;
    else
        memset(s->seen, 0, sizeof s->seen);
    memset(s->dealt, 0, sizeof s->dealt);
    s->dealer_cards = s->dealer_total = s->dealer_aces = s->dealt_cards = 0;
    s->hand++;
    s->last = -1;
    s->due_cards = s->given = 0;
    if (o->dealer_first) {
        add_due(s, DEALER);
        add_due(s, DEALER);
    }
    for (int card = 0; card < 2; card++) {
        add_due_seats(s);
        if (!o->dealer_first)
            add_due(s, DEALER);
    }
    proceed(s);
}

/* Pays the winners (rule b.8). */
static void settle(State *s)
{
    int house = dealer_score(s);
    see(s, s->hidden_card);
    for (int seat = 0; seat < s->table.seats; seat++) {
        Spot *spot = &s->spots[seat];
        int own = score(spot->total, spot->aces);
        if (spot->state != STANDING)
            continue;
        if (own > house)
            spot->chips += 2 * spot->stake;
        else if (own == house && options_of(s)->push_returns)
            spot->chips += spot->stake;
        spot->won += own > house;
    }
}

/* Deals the cards that are due, and finds the seat that is to move or ends the hand (rules b.6 and
 * b.7). Where the pack is used up, a new one is to be shuffled first (rule a.4). */
static void proceed(State *s)
{
    const Options *o = options_of(s);
    int first = o->whole_turns && s->last >= 0 ? s->last : s->last + 1;
    s->table.to_act = CHANCE;
    while (s->given < s->due_cards) {
        if (s->drawn == CARDS)
            return;
        give(s, s->due[s->given++]);
    }
    for (int turn = 0; turn < s->table.seats; turn++) {
        int seat = (first + turn) % s->table.seats;
        if (s->spots[seat].state == PLAYING) {
            s->table.to_act = seat;
            return;
        }
    }
    while (dealer_score(s) && dealer_score(s) < o->dealer_stands_at) {
        if (s->drawn == CARDS)
            return;
        give(s, DEALER);
    }
    settle(s);
    new_hand(s);
}

static void deal(void *state, const uint8_t *order)
{
    State *s = state;
    memcpy(s->pack, order, CARDS);
    s->drawn = 0;
    if (s->hand)
        proceed(s);
    else
        new_hand(s);
}

static int may_double(const State *s, int seat)
{
    const Spot *spot = &s->spots[seat];
    return !spot->moves && (spot->chips >= spot->stake || options_of(s)->credit);
}

static int lowest_raise(const State *s) { return !options_of(s)->bet_zero; }

/* The chips of a raise that has a number of its own. */
static int64_t raised_by(int64_t lowest, int64_t chips, int action)
{
    switch (action - RAISE_LOW) {
    case 0:
        return lowest;
    case 1:
        return chips / 4;
    case 2:
        return chips / 2;
    default:
        return chips;
    }
}

static int legal(const void *state, uint16_t *actions)
{
    const State *s = state;
    int seat = s->table.to_act, listed = 2;
    int64_t chips = s->spots[seat].chips, lowest = lowest_raise(s), before = lowest - 1;
    actions[0] = HIT;
    actions[1] = STAND;
    if (may_double(s, seat))
        actions[listed++] = DOUBLE;
    if (chips < lowest)
        return listed;
    for (int action = RAISE_LOW; action < ACTIONS; action++) {
        int64_t more = raised_by(lowest, chips, action);
        if (more > before) {
            actions[listed++] = (uint16_t)action;
            before = more;
        }
    }
    return listed;
}

/* A raise by any number of chips is the number of actions and so much more. */
static int allows(const void *state, int action)
{
    const State *s = state;
    int chips = action - ACTIONS;
    return chips >= lowest_raise(s) && chips <= s->spots[s->table.to_act].chips;
}

/* Carries out a move (rule b.6). */
static void apply(void *state, int action)
{
    State *s = state;
    int seat = s->table.to_act;
    Spot *spot = &s->spots[seat];
    s->last = (int8_t)seat;
    s->given = s->due_cards = 0;
    if (action == HIT || action == DOUBLE)
        add_due(s, seat);
    if (action == DOUBLE) {
        spot->chips -= spot->stake;
        spot->stake *= 2;
    } else if (action >= RAISE_LOW) {
        int64_t more = action < ACTIONS ? raised_by(lowest_raise(s), spot->chips, action)
                                        : action - ACTIONS;
        spot->chips -= more;
        spot->stake += more;
    }
    if (++spot->moves == options_of(s)->move_cap || action == STAND || action == DOUBLE)
        spot->state = STANDING;
    proceed(s);
}

/* Digits of base 100, the lowest first, each with the number's sign. */
static void show_digits(int8_t *out, int64_t number)
{
    int64_t rest = number < 0 ? -number : number;
    if (rest > 9999999999)
        rest = 9999999999;
    for (int place = 0; place < 5; place++, rest /= 100)
        out[place] = (int8_t)(number < 0 ? -(rest % 100) : rest % 100);
}

static void observe(const void *state, int seat, int8_t *out)
{
    const State *s = state;
    const Spot *spot = &s->spots[seat];
    int open = s->open_card % RANKS, hidden_first = options_of(s)->hidden_first;
    int before = hidden_first ? s->named_before : open + 1;
    int8_t *dealt = out + SEEN_DEALT;
    out[SEEN_SEAT + seat] = 1;
    out[SEEN_DOUBLE] = seat == s->table.to_act && may_double(s, seat);
    out[SEEN_SCORE] = (int8_t)score(spot->total, spot->aces);
    out[SEEN_SOFT] = out[SEEN_SCORE] > spot->total;
    for (int card = 0; card < spot->cards; card++)
        out[SEEN_HAND + card] = (int8_t)(spot->ranks[card] + 2);
    if (before)
        out[SEEN_OPEN + before - 1] = 1;
    if (hidden_first)
        *dealt++ = (int8_t)(open + 2);
    for (int card = 0; card < s->dealt_cards; card++)
        *dealt++ = (int8_t)(s->dealt[card] + 2);
    memcpy(out + SEEN_SEEN, s->seen, sizeof s->seen);
    show_digits(out + SEEN_STAKE, spot->stake);
    show_digits(out + SEEN_CHIPS, spot->chips);
}

static int hidden(const void *state, int seat, uint8_t *cards)
{
    const State *s = state;
    Cards unknown = bit(s->hidden_card);
    (void)seat;
    for (int place = s->drawn; place < CARDS; place++)
        unknown |= bit(s->pack[place]);
    return list_set(unknown, cards, 0);
}

const Game blackjack = {
    .name = "blackjack",
    .size = sizeof(State),
    .actions = ACTIONS,
    .features = FEATURES,
    .start = start,
    .pack = pack,
    .deal = deal,
    .legal = legal,
    .apply = apply,
    .observe = observe,
    .hidden = hidden,
    .allows = allows,
};
