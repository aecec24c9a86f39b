/* Spades. Cards are numbered 2C, 3C ... AC, 2D ... AS.
 * Rules are cited from docs/rules/spades.md.
 */
#include "spades.h"
#include "words.h"

/* The places of an observation: library/encodings/spades.py. */
enum {
    SEEN_PHASE = 0,
    SEEN_HAND = 4,
    SEEN_PLAYED = SEEN_HAND + CARDS,
    SEEN_WHEN = SEEN_PLAYED + 4 * CARDS,
    SEEN_TRICK = SEEN_WHEN + CARDS,
    SEEN_PASSED = SEEN_TRICK + CARDS,
    SEEN_LAID = SEEN_PASSED + CARDS,
    SEEN_DEALER = SEEN_LAID + 4,
    SEEN_BIDS = SEEN_DEALER + 4,
    SEEN_BLIND = SEEN_BIDS + 4,
    SEEN_TOOK = SEEN_BLIND + 4,
    SEEN_SCORES = SEEN_TOOK + 4,
    SEEN_BAGS = SEEN_SCORES + 2,
    SEEN_MISSING = SEEN_BAGS + 2,
    FEATURES = SEEN_MISSING + 2,
};

static void deal_round(State *s)
{
    s->phase = DEAL;
    s->table.to_act = CHANCE;
}

static void start(void *state)
{
    State *s = state;
    s->round = 1;
    deal_round(s);
    if (options_of(s)->drawn_dealer)
        s->phase = DRAW;
}

static int pack(const void *state, uint8_t *cards)
{
    (void)state;
    return full_pack(cards, CARDS);
}

static void play_from(State *s, int seat)
{
    s->phase = PLAY;
    s->leader = (int8_t)seat;
    s->laid = 0;
    s->table.to_act = seat;
}

static void first_trick(State *s)
{
    int leader = first_seat(s);
    if (options_of(s)->two_of_clubs)
        for (leader = 0; !(s->hands[leader] & 1); leader++)
            ;
    play_from(s, leader);
}

static void after_bids(State *s)
{
    s->queued = s->passing = 0;
    if (options_of(s)->exchange && s->blinds) {
        for (int i = 0; i < s->blinds; i++) {
            int8_t seat = s->blind_order[i], partner = (int8_t)((seat + 2) % 4);
            if (s->blind >> partner & 1)
                continue;
            for (int cards = 0; cards < 4; cards++)
                s->queue[s->queued++] = cards < 2 ? seat : partner;
        }
    }
    if (s->queued) {
        s->phase = PASS;
        s->table.to_act = s->queue[0];
    } else {
        first_trick(s);
    }
}

static void next_bid(State *s)
{
    s->phase = BID;
    for (int turn = 0; turn < 4; turn++) {
        int seat = (first_seat(s) + turn) % 4;
        if (s->bids[seat] == NOT_YET) {
            s->table.to_act = seat;
            return;
        }
    }
    after_bids(s);
}

static void first_bid(State *s)
{
    for (int seat = 0; seat < 4; seat++)
        s->bids[seat] = s->blind >> seat & 1 ? 0 : NOT_YET;
    next_bid(s);
}

/* Asks the next seat that may bid blind nil, from this turn on. */
static void before_the_cards(State *s, int turn)
{
    for (; turn < 4; turn++) {
        int seat = (first_seat(s) + turn) % 4;
        int behind = s->scores[(seat + 1) % 2] - s->scores[seat % 2];
        if (s->blind >> (seat + 2) % 4 & 1 && !options_of(s)->double_nil)
            continue;
        if (options_of(s)->blind_nil == ANY
            || (options_of(s)->blind_nil == BEHIND_100 && behind >= 100)) {
            s->phase = BLIND;
            s->table.to_act = seat;
            return;
        }
    }
    first_bid(s);
}

static void deal(void *state, const uint8_t *order)
{
    State *s = state;
    if (s->phase == DRAW) {
        s->dealer = highest_drawn(order, 13);
        deal_round(s);
        return;
    }
    memset(s->hands, 0, sizeof s->hands);
    memset(s->gave, 0, sizeof s->gave);
    memset(s->took, 0, sizeof s->took);
    memset(s->order, 0, sizeof s->order);
    memset(s->by, 0, sizeof s->by);
    s->played = s->laid = s->broken = s->blind = s->blinds = 0;
    for (int place = 0; place < CARDS; place++)
        s->hands[(first_seat(s) + place) % 4] |= bit(order[place]);
    before_the_cards(s, 0);
}

static int legal(const void *state, uint16_t *actions)
{
    const State *s = state;
    int seat = s->table.to_act, listed = 0;
    if (s->phase == BLIND) {
        actions[0] = LOOK;
        actions[1] = BLIND_NIL;
        return 2;
    }
    if (s->phase == BID) {
        int partner = s->bids[(seat + 2) % 4];
        int high = TRICKS - (options_of(s)->side_cap && partner > 0 ? partner : 0);
        for (int bid = partner == 0 && !options_of(s)->double_nil; bid <= high; bid++)
            actions[listed++] = (uint16_t)(BIDS + bid);
        return listed;
    }
    return list_cards(s->phase == PLAY ? playable(s) : s->hands[seat], actions, 0);
}

static void side_points(const State *s, int side, int *points, int *bags)
{
    int helping = 0, contract = 0, only_bags = 0;
    *points = 0;
    for (int seat = side; seat < 4; seat += 2) {
        int took = s->took[seat];
        contract += s->bids[seat];
        helping += took;
        if (s->bids[seat] == 0) {
            int stake = s->blind >> seat & 1 ? 200 : 100;
            *points += took ? -stake : stake;
            only_bags += took;
        }
    }
    if (options_of(s)->failed_nil == BAGS)
        helping -= only_bags;
    else
        only_bags = 0;
    *bags = only_bags;
    if (helping < contract) {
        *points += only_bags - 10 * contract;
    } else {
        *bags += helping - contract;
        *points += 10 * contract + *bags;
    }
}

/* Scores a round (rule b.4), and goes on to the next or ends the game (rule b.5). */
static void finish(State *s)
{
    const Options *o = options_of(s);
    int made[2], goal = o->goal + o->exceeded, over;
    for (int side = 0; side < 2; side++) {
        int bags;
        side_points(s, side, &made[side], &bags);
        bags += s->bags[side];
        made[side] -= bags / 10 * o->bag_penalty;
        s->bags[side] = bags % 10;
        s->scores[side] += made[side];
    }
    s->won[0] += made[0] > made[1];
    s->won[1] += made[1] > made[0];
    over = s->scores[0] >= goal || s->scores[1] >= goal
        || (o->lose && (s->scores[0] <= o->lose || s->scores[1] <= o->lose));
    if (s->round == o->max_rounds || (over && s->scores[0] != s->scores[1])) {
        s->table.to_act = OVER;
        for (int seat = 0; seat < 4; seat++) {
            s->table.scores[seat] = s->scores[seat % 2];
            s->table.hands[seat] = s->round;
            s->table.won[seat] = s->won[seat % 2];
        }
        return;
    }
    s->round++;
    s->dealer = first_seat(s);
    deal_round(s);
}

static void play_card(State *s, int card)
{
    int seat = s->table.to_act;
    int better = !s->laid || (suit_of(card) == suit_of(s->best) ? card > s->best : card >= TRUMPS);
    s->hands[seat] &= ~bit(card);
    s->order[s->played] = (uint8_t)card;
    s->by[s->played++] = (uint8_t)seat;
    s->broken |= card >= TRUMPS;
    if (better) {
        s->best = (int8_t)card;
        s->leader = (int8_t)seat; /* the seat whose card is best so far */
    }
    if (++s->laid < 4) {
        s->table.to_act = (seat + 1) % 4;
        return;
    }
    s->took[s->leader]++;
    s->laid = 0;
    s->table.to_act = s->leader;
    if (s->played == CARDS)
        finish(s);
}

static void apply(void *state, int action)
{
    State *s = state;
    int seat = s->table.to_act;
    switch (s->phase) {
    case BLIND:
        if (action == BLIND_NIL) {
            s->blind_order[s->blinds++] = (int8_t)seat;
            s->blind |= (int8_t)(1 << seat);
        }
        before_the_cards(s, (seat - first_seat(s) + 4) % 4 + 1);
        break;
    case BID:
        s->bids[seat] = (int8_t)(action - BIDS);
        next_bid(s);
        break;
    case PASS:
        s->hands[seat] &= ~bit(action);
        s->hands[(seat + 2) % 4] |= bit(action);
        s->gave[seat] |= bit(action);
        if (++s->passing < s->queued)
            s->table.to_act = s->queue[s->passing];
        else
            first_trick(s);
        break;
    default:
        play_card(s, action);
    }
}

static void observe(const void *state, int seat, int8_t *out)
{
    const State *s = state;
    const Options *o = options_of(s);
    int first = s->played - s->laid;
    if (s->phase < BLIND)
        return;
    out[SEEN_PHASE + s->phase - BLIND] = 1;
    if (s->phase != BLIND)
        mark(out + SEEN_HAND, s->hands[seat]);
    for (int place = 0; place < s->played; place++) {
        int card = s->order[place];
        out[SEEN_PLAYED + CARDS * ((s->by[place] - seat) & 3) + card] = 1;
        out[SEEN_WHEN + card] = (int8_t)(place / 4 + 1);
        if (place >= first)
            out[SEEN_TRICK + card] = 1;
    }
    for (Cards gave = s->gave[seat]; gave;)
        out[SEEN_PASSED + take_lowest(&gave)] += 1;
    for (Cards got = s->gave[(seat + 2) % 4]; got;)
        out[SEEN_PASSED + take_lowest(&got)] += 2;
    out[SEEN_LAID + s->laid] = 1;
    out[SEEN_DEALER + ((s->dealer - seat) & 3)] = 1;
    for (int turn = 0; turn < 4; turn++) {
        int other = (seat + turn) % 4;
        int blind = s->blind >> other & 1;
        out[SEEN_BLIND + turn] = (int8_t)blind;
        out[SEEN_BIDS + turn] = s->phase == BLIND ? (int8_t)blind : (int8_t)(s->bids[other] + 1);
        out[SEEN_TOOK + turn] = s->took[other];
    }
    for (int turn = 0; turn < 2; turn++) {
        int side = (seat + turn) % 2;
        out[SEEN_SCORES + turn] = in_tens(s->scores[side]);
        out[SEEN_BAGS + turn] = (int8_t)s->bags[side];
        out[SEEN_MISSING + turn] = in_tens(o->goal + o->exceeded - s->scores[side]);
    }
}

enum { GAME, ASKED, LEGAL, SEAT, BY, HAND, CALLS, HISTORY, TRICK, TAKEN, SIDES, HELD, GOAL, LOSE,
       WORDS };

/* `2:7C,AC,2C,5C/3:KD`: the seat that led, and the cards. */
static void read_tricks(State *s, const char *text)
{
    for (; text && *text != '-'; text = after(text, '/')) {
        s->table.to_act = atoi(text);
        for (text++; *text == ':' || *text == ','; text += 3)
            play_card(s, read_card(text + 1, RANKS));
    }
}

static void read_bids(State *s, const char *text)
{
    for (int seat = 0; text && seat < 4; seat++, text = after(text, ',')) {
        s->bids[seat] = (int8_t)(*text == '-' ? NOT_YET : *text == 'B' ? 0 : atoi(text));
        s->blind |= (int8_t)((*text == 'B') << seat);
    }
}

static int read(void *state, int count, char **words)
{
    static const char *const phases[] = {[BLIND] = "blind", "bid", "pass", "play"};
    static const Options usual = {.bag_penalty = 110, .double_nil = 1};
    State *s = state;
    Options *o = (Options *)s->table.options;
    if (count < WORDS || strcmp(words[GAME], "spades"))
        return 0;
    int seat = atoi(words[SEAT]) & 3, lowest_bid = 0, highest_bid = TRICKS;
    sscanf(words[LEGAL], "%d..%d", &lowest_bid, &highest_bid);
    *o = usual;
    o->goal = atoi(words[GOAL]);
    o->lose = atoi(words[LOSE]);
    s->table.seats = 4;
    s->round = 1;
    s->dealer = atoi(words[BY]);
    read_numbers(words[SIDES], s->scores, 2);
    read_numbers(words[HELD], s->bags, 2);
    read_bids(s, words[CALLS]);
    read_tricks(s, words[HISTORY]);
    read_tricks(s, words[TRICK]);
    s->table.to_act = seat;
    s->hands[seat] = read_cards(words[HAND], RANKS);
    for (s->phase = BLIND; s->phase < PLAY && strcmp(words[ASKED], phases[s->phase]); s->phase++)
        ;
    if (s->phase == BID) { /* what is allowed tells the other options that matter */
        o->double_nil = lowest_bid == 0;
        o->side_cap = highest_bid < TRICKS;
    }
    o->two_of_clubs = !s->played && !strcmp(words[LEGAL], "2C");
    for (int place = WORDS; place < count; place++) {
        const char *text = words[place], *second = after(text, '/');
        if (second && !after(second, '/')) { /* cards given and got */
            s->gave[seat] = read_cards(text, RANKS);
            s->gave[(seat + 2) % 4] = read_cards(second, RANKS);
            continue;
        }
        for (int other = 0; text && other < 4; other++, text = after(text, '/'))
            s->hands[other] = read_cards(text, RANKS);
    }
    return 1;
}

static int hidden(const void *state, int seat, uint8_t *cards)
{
    const State *s = state;
    int listed = 0;
    for (int other = 0; other < 4; other++)
        if (other != seat || s->phase == BLIND)
            listed = list_set(s->hands[other], cards, listed);
    return listed;
}

/* For the solver: once the cards are played, all that matters is who holds and has taken what. */
static int left(const void *state)
{
    const State *s = state;
    return s->phase == PLAY ? CARDS - s->played : 0;
}

static int side(const void *state, int seat)
{
    (void)state;
    return seat % 2;
}

static int lead(const void *state)
{
    const State *s = state;
    return s->scores[0] - s->scores[1];
}

static uint64_t key(const void *state)
{
    const State *s = state;
    uint64_t hash = mix(1, (uint64_t)s->table.to_act), took = 0;
    for (int seat = 0; seat < 4; seat++)
        hash = mix(hash, s->hands[seat]);
    for (int seat = 0; seat < 4; seat++) /* partners who both have bid share what they take */
        took += (uint64_t)s->took[seat]
            << (s->bids[seat] && s->bids[(seat + 2) % 4] ? seat % 2 : seat) * 8;
    if (s->laid)
        hash = mix(hash, (uint64_t)(s->order[s->played - s->laid] / 13 << 8 | s->best << 16
                                    | s->leader << 24 | s->laid));
    return mix(mix(hash, took), s->broken);
}

static int ranked(const void *state, uint16_t *actions)
{
    const State *s = state;
    uint16_t legal_cards[13];
    int16_t worth[13];
    int listed = legal(state, legal_cards), kept = 0;
    Cards hand = s->hands[s->table.to_act], others = s->laid ? bit(s->best) : 0;
    int ours = s->laid && (s->leader ^ s->table.to_act) % 2 == 0;
    for (int seat = 0; seat < 4; seat++)
        others |= s->hands[seat];
    for (int place = listed - 1; place >= 0; place--) {
        int card = legal_cards[place];
        Cards above = others & suit_of(card) & ~(Cards)1 << card;
        if (above && hand & above & -above)
            continue; /* as good as the next higher card of the hand */
        int wins = !s->laid ? !above
                            : suit_of(card) == suit_of(s->best) ? card > s->best : card >= TRUMPS;
        int rank = card % 13, value = wins && !ours ? 40 - (s->laid == 3 ? rank : -rank) : -rank;
        if (card >= TRUMPS && s->laid)
            value -= 5;
        kept = insert(actions, worth, kept, card, value);
    }
    return kept;
}

/* How many of the highest spades one seat holds: as many tricks are sure to come to it. */
static int sure_tricks(const State *s, int *holder)
{
    int sure = 0;
    for (int card = CARDS - 1; card >= TRUMPS; card--)
        for (int seat = 0; seat < 4; seat++)
            if (s->hands[seat] >> card & 1) {
                if (sure && seat != *holder)
                    return sure;
                *holder = seat;
                sure++;
            }
    return sure;
}

/* The least and the most points of a side in this round, by how many more tricks it takes. Any of
 * them may fall to a nil. */
static void range_of_points(const State *now, int side, int open, int *least, int *most)
{
    State s = *now;
    int nil = s.bids[side] ? side + 2 : side, partner = (nil + 2) % 4;
    for (int tricks = 0; tricks <= open; tricks++)
        for (int nils = 0; nils <= (s.bids[nil] ? 0 : tricks); nils++) {
            int points, bags;
            s.took[nil] = (int8_t)(now->took[nil] + nils);
            s.took[partner] = (int8_t)(now->took[partner] + tricks - nils);
            side_points(&s, side, &points, &bags);
            points -= (bags + s.bags[side]) / 10 * options_of(now)->bag_penalty;
            if (!nils || points < least[tricks])
                least[tricks] = points;
            if (!nils || points > most[tricks])
                most[tricks] = points;
        }
}

static int bounds(const void *state, int *least, int *most)
{
    const State *s = state;
    int low[2][TRICKS + 1], high[2][TRICKS + 1], open = TRICKS - s->played / 4, holder = 0;
    if (s->laid)
        return 0; /* it would cost more time than it saves */
    int sure = sure_tricks(s, &holder);
    int first = holder % 2 ? 0 : sure, last = holder % 2 ? open - sure : open;
    for (int side = 0; side < 2; side++)
        range_of_points(s, side, open, low[side], high[side]);
    for (int tricks = first; tricks <= last; tricks++) {
        int worst = lead(s) + low[0][tricks] - high[1][open - tricks];
        int best = lead(s) + high[0][tricks] - low[1][open - tricks];
        if (tricks == first || worst < *least)
            *least = worst;
        if (tricks == first || best > *most)
            *most = best;
    }
    return 1;
}

static const Solvable solvable = {
    .left = left,
    .side = side,
    .lead = lead,
    .key = key,
    .ranked = ranked,
    .bounds = bounds,
};

const Game spades = {
    .name = "spades",
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
    .read = read,
    .solvable = &solvable,
};
