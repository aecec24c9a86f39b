/* Durak. Cards are numbered 2C, 3C ... AC, 2D ... AS, in smaller packs too.
 * Rules are cited from docs/rules/durak.md.
 */
#include "game.h"

enum { ATTACK, DEFEND, THROW, GIVE };
enum { CARDS = 52, RANKS = 13, HAND = 6, MOST_TALON = CARDS - 2 * HAND, BOUTS = 500 };

enum { SETS_OF_A_RANK = 11 };
enum {
    TOGETHER = CARDS,
    TRANSFER = TOGETHER + RANKS * SETS_OF_A_RANK,
    SHOW = TRANSFER + CARDS,
    TAKE = SHOW + CARDS,
    DONE,
    ACTIONS,
};

/* The places of an observation: card_arena/encodings/durak.py. */
enum {
    SEEN_PHASE = 0,
    SEEN_HELD = SEEN_PHASE + 4,
    SEEN_DISCARDED = SEEN_HELD + MOST_SEATS * CARDS,
    SEEN_ATTACKS = SEEN_DISCARDED + CARDS,
    SEEN_DEFENCES = SEEN_ATTACKS + CARDS,
    SEEN_TOGETHER = SEEN_DEFENCES + CARDS,
    SEEN_DONE = SEEN_TOGETHER + HAND,
    SEEN_TAKEN = SEEN_DONE + (HAND - 1) * MOST_SEATS,
    SEEN_SHOWN = SEEN_TAKEN + 1,
    SEEN_LAID_BY = SEEN_SHOWN + 1,
    SEEN_WHEN = SEEN_LAID_BY + CARDS,
    SEEN_TRUMP = SEEN_WHEN + CARDS,
    SEEN_TRUMPS = SEEN_TRUMP + CARDS,
    SEEN_SEATS = SEEN_TRUMPS + 4,
    SEEN_SIZES = SEEN_SEATS + MOST_SEATS,
    SEEN_ATTACKER = SEEN_SIZES + MOST_SEATS,
    SEEN_DEFENDER = SEEN_ATTACKER + MOST_SEATS,
    SEEN_LEFT = SEEN_DEFENDER + MOST_SEATS,
    SEEN_TALON = SEEN_LEFT + 1,
    SEEN_BOUT = SEEN_TALON + 1,
    FEATURES = SEEN_BOUT + 1,
};

typedef struct {
    int32_t open_hands, deck, throwers, several, throw_after_take, first_limit, transfer,
        transfer_back, deuce_beats_ace, refill, attacker_wins, partners, redeal;
} Options;

enum { ALL, NEIGHBOURS, ATTACKER };          /* throwers */
enum { NEVER, CARD, SHOW_TRUMP };            /* transfer */
enum { ATTACKER_FIRST, THROWERS, BY_SEATS }; /* refill */

typedef struct {
    Table table;
    Cards hands[MOST_SEATS];
    Cards held[MOST_SEATS]; /* the cards of each hand that everybody knows of */
    Cards discarded;
    Cards matching;            /* all cards of the ranks that lie on the table */
    int16_t number;            /* the bout's, from 1 */
    int16_t out[MOST_SEATS];   /* the bout in which each seat went out, 0 while it is in */
    int16_t when[CARDS];       /* the bout in which each card was laid last, 0 for none */
    int8_t laid_by[CARDS];     /* and the seat that laid it */
    uint8_t talon[MOST_TALON]; /* cards are drawn from its end, the trump last */
    int8_t left_in_talon, trump, attacker, defender, limit;
    /* From here on all is zero when a bout begins. */
    int8_t attacked, defended; /* the numbers of attack cards and of cards that beat them */
    uint8_t attacks[HAND], defences[HAND];
    int8_t done[HAND]; /* bits: the seats that said so when there were 1, 2 ... attack cards */
    int8_t together;   /* bits: the attack cards that were laid with the one before */
    int8_t taking;     /* how many attack cards there were when the defender took, else 0 */
    int8_t shown;      /* whether the attack was passed on by showing a trump */
} State;

static const uint8_t SETS[SETS_OF_A_RANK] = {3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15}; /* of suits */

static const Options *options_of(const State *s) { return (const Options *)s->table.options; }

static Cards rank_cards(int rank) { return (Cards)0x8004002001 << rank; }

static Cards suit_cards(int suit) { return (Cards)0x1FFF << RANKS * suit; }

static int phase_of(const State *s)
{
    return s->taking ? GIVE : !s->attacked ? ATTACK : s->attacked == s->defended ? THROW : DEFEND;
}

/* The next seat clockwise that is still in (rule b.6). */
static int next_in(const State *s, int seat)
{
    do
        seat = seat + 1 < s->table.seats ? seat + 1 : 0;
    while (s->out[seat]);
    return seat;
}

static int next_opponent(const State *s, int seat)
{
    int other = next_in(s, seat);
    while (options_of(s)->partners && (other - seat) % 2 == 0)
        other = next_in(s, other);
    return other;
}

static int limit_against(const State *s, int defender)
{
    int most = s->number == 1 ? options_of(s)->first_limit : HAND, size = count(s->hands[defender]);
    return size < most ? size : most;
}

static void attack_by(State *s, int attacker)
{
    s->attacker = (int8_t)attacker;
    s->defender = (int8_t)next_opponent(s, attacker);
    s->limit = (int8_t)limit_against(s, s->defender);
}

/* The deal (rules a). */

static void start(void *state)
{
    State *s = state;
    s->table.to_act = CHANCE;
}

static int pack(const void *state, uint8_t *cards)
{
    int ranks = options_of(state)->deck / 4, listed = 0;
    for (int suit = 0; suit < 4; suit++)
        for (int rank = RANKS - ranks; rank < RANKS; rank++)
            cards[listed++] = (uint8_t)(RANKS * suit + rank);
    return listed;
}

static int has_long_suit(Cards hand)
{
    for (int suit = 0; suit < 4; suit++)
        if (count(hand & suit_cards(suit)) >= 5)
            return 1;
    return 0;
}

/* The first attacker: the lowest trump's holder, else the seat after the dealer (rule a.3). */
static int beginner(const State *s)
{
    int seat = 0;
    Cards trumps = 0;
    for (int other = 0; other < s->table.seats; other++)
        trumps |= s->hands[other] & suit_cards(s->trump / RANKS) & ~bit(s->trump);
    while (trumps && !(s->hands[seat] >> lowest(trumps) & 1))
        seat++;
    return seat;
}

static void deal(void *state, const uint8_t *order)
{
    State *s = state;
    int seats = s->table.seats, dealt = HAND * seats, rest = options_of(s)->deck - dealt;
    memset(s->hands, 0, sizeof s->hands);
    for (int place = 0; place < dealt; place++)
        s->hands[place % seats] |= bit(order[place]);
    for (int seat = 0; options_of(s)->redeal && seat < seats; seat++)
        if (has_long_suit(s->hands[seat]))
            return;
    s->left_in_talon = (int8_t)rest;
    if (rest) {
        s->trump = (int8_t)order[dealt];
        s->talon[0] = order[dealt];
        for (int place = 1; place < rest; place++)
            s->talon[rest - place] = order[dealt + place];
    } else {
        s->trump = (int8_t)order[dealt - 1];
        s->held[seats - 1] = bit(s->trump);
    }
    s->number = 1;
    attack_by(s, beginner(s));
    s->table.to_act = s->attacker;
}

/* A bout (rules b.1 to b.3). */

/* Each of these cards alone; on a table that allows it, also those of a rank together (b.1). */
static int list_layable(const State *s, Cards cards, uint16_t *actions)
{
    int listed = list_cards(cards, actions, 0), left = s->limit - s->attacked;
    Cards once = 0, several = 0; /* ranks, from bit 0 on */
    if (!options_of(s)->several || left < 2)
        return listed;
    for (int suit = 0; suit < 4; suit++) {
        Cards ranks = cards >> RANKS * suit & suit_cards(0);
        several |= ranks & once;
        once |= ranks;
    }
    while (several) {
        int rank = take_lowest(&several);
        Cards same = cards >> rank & rank_cards(0);
        int suits = (same | same >> 12 | same >> 24 | same >> 36) & 15;
        for (int set = 0; set < SETS_OF_A_RANK; set++)
            if (!(SETS[set] & ~suits) && count(SETS[set]) <= left)
                actions[listed++] = (uint16_t)(TOGETHER + SETS_OF_A_RANK * rank + set);
    }
    return listed;
}

/* All cards that beat this one (rule b.2). */
static Cards beating(const State *s, int attack)
{
    Cards suit = suit_cards(attack / RANKS), trumps = suit_cards(s->trump / RANKS);
    Cards better = suit & ~(bit(attack + 1) - 1);
    if (options_of(s)->deuce_beats_ace && attack % RANKS == RANKS - 1)
        better |= suit & rank_cards(0);
    return suit == trumps ? better : better | trumps;
}

static int list_transfers(const State *s, uint16_t *actions, int listed)
{
    const Options *o = options_of(s);
    int following = next_opponent(s, s->defender), room;
    Cards same = s->hands[s->defender] & rank_cards(s->attacks[0] % RANKS);
    if (!same || (following == s->attacker && !o->transfer_back))
        return listed;
    room = limit_against(s, following) - s->attacked;
    for (Cards cards = room > 0 ? same : 0; cards;)
        actions[listed++] = (uint16_t)(TRANSFER + take_lowest(&cards));
    same &= suit_cards(s->trump / RANKS);
    if (o->transfer == SHOW_TRUMP && !s->shown && room >= 0 && same)
        actions[listed++] = (uint16_t)(SHOW + lowest(same));
    return listed;
}

static int legal(const void *state, uint16_t *actions)
{
    const State *s = state;
    int phase = phase_of(s), listed;
    Cards hand = s->hands[s->table.to_act];
    if (phase == DEFEND) {
        listed = list_cards(hand & beating(s, s->attacks[s->defended]), actions, 0);
        if (options_of(s)->transfer != NEVER && !s->defended)
            listed = list_transfers(s, actions, listed);
        actions[listed++] = TAKE;
        return listed;
    }
    listed = list_layable(s, phase == ATTACK ? hand : hand & s->matching, actions);
    if (phase != ATTACK)
        actions[listed++] = DONE;
    return listed;
}

static void lay(State *s, int seat, int card, uint8_t *cards, int8_t *laid)
{
    s->hands[seat] &= ~bit(card);
    s->held[seat] &= ~bit(card);
    s->laid_by[card] = (int8_t)seat;
    s->when[card] = s->number;
    s->matching |= rank_cards(card % RANKS);
    cards[(*laid)++] = (uint8_t)card;
}

/* Lays a card or several together to attack. */
static void lay_attack(State *s, int seat, int action)
{
    int set = action - TOGETHER, before = s->attacked;
    if (set < 0) {
        lay(s, seat, action, s->attacks, &s->attacked);
        return;
    }
    for (int suit = 0; suit < 4; suit++)
        if (SETS[set % SETS_OF_A_RANK] >> suit & 1)
            lay(s, seat, RANKS * suit + set / SETS_OF_A_RANK, s->attacks, &s->attacked);
    s->together |= (int8_t)((1 << s->attacked) - (2 << before));
}

/* The end of a bout, and of the game (rules b.4 to b.7). */

static void draw(State *s, int seat)
{
    while (s->left_in_talon && count(s->hands[seat]) < HAND)
        s->hands[seat] |= bit(s->talon[--s->left_in_talon]);
}

/* Fills the hands up from the talon (rule b.5). */
static void refill(State *s)
{
    int seats = s->table.seats, order = options_of(s)->refill;
    for (int turn = 0; turn < (order == THROWERS ? s->attacked : seats); turn++) {
        int seat = order == BY_SEATS ? turn
            : order == THROWERS      ? s->laid_by[s->attacks[turn]]
                                     : (s->attacker + turn) % seats;
        if (order == BY_SEATS || seat != s->defender)
            draw(s, seat);
    }
    draw(s, s->defender);
}

/* Whether the seats that are still in, if any, are all on one side (rule b.6). */
static int is_decided(const State *s)
{
    int in = 0;
    if (options_of(s)->partners)
        return (s->out[0] && s->out[2]) || (s->out[1] && s->out[3]);
    for (int seat = 0; seat < s->table.seats; seat++)
        in += !s->out[seat];
    return in <= 1;
}

/* Points by places: two for every side that held cards longer, one for every tie (rule b.7). */
static void score(State *s)
{
    int seats = s->table.seats, partners = options_of(s)->partners, all_out = 1, least;
    int sides = partners ? 2 : seats, ends[MOST_SEATS] = {0};
    for (int seat = 0; seat < seats; seat++)
        all_out &= s->out[seat] != 0;
    for (int seat = 0; seat < seats; seat++) {
        int end = s->out[seat] ? s->out[seat] : BOUTS + 1;
        if (all_out && options_of(s)->attacker_wins && seat == s->defender)
            end = BOUTS + 1;
        if (end > ends[seat % sides])
            ends[seat % sides] = end;
    }
    for (int seat = 0; seat < seats; seat++)
        for (int side = 0; side < sides; side++)
            if (side != seat % sides)
                s->table.scores[seat] +=
                    2 * (ends[side] > ends[seat % sides]) + (ends[side] == ends[seat % sides]);
    least = s->table.scores[0];
    for (int seat = 1; seat < seats; seat++)
        if (s->table.scores[seat] < least)
            least = s->table.scores[seat];
    for (int seat = 0; seat < seats; seat++) {
        s->table.hands[seat] = 1;
        s->table.won[seat] = s->table.scores[seat] > least;
    }
    s->table.to_act = OVER;
}

static Cards on_the_table(const State *s)
{
    Cards cards = 0;
    for (int place = 0; place < s->attacked; place++)
        cards |= bit(s->attacks[place]);
    for (int place = 0; place < s->defended; place++)
        cards |= bit(s->defences[place]);
    return cards;
}

static void end_bout(State *s)
{
    int loses_turn = s->taking > 0;
    Cards cards = on_the_table(s);
    if (s->taking) {
        s->hands[s->defender] |= cards;
        s->held[s->defender] |= cards;
    } else {
        s->discarded |= cards;
    }
    refill(s);
    for (int seat = 0; !s->left_in_talon && seat < s->table.seats; seat++)
        if (!s->hands[seat] && !s->out[seat])
            s->out[seat] = s->number;
    if (s->number == BOUTS || is_decided(s)) {
        score(s);
        return;
    }
    s->number++;
    s->matching = 0;
    memset(&s->attacked, 0, sizeof(State) - offsetof(State, attacked));
    loses_turn |= s->out[s->defender] != 0;
    attack_by(s, loses_turn ? next_in(s, s->defender) : s->defender);
    s->table.to_act = s->attacker;
}

/* Asks the next seat that can throw in, or else ends the bout (rules b.3 and b.4). */
static void ask_to_throw(State *s)
{
    const Options *o = options_of(s);
    int seats = s->table.seats, others = o->throwers == ALL ? seats - 1 : o->throwers == NEIGHBOURS;
    int seat = s->attacker;
    for (int turn = 0; s->attacked < s->limit && turn <= others; turn++) {
        if (turn == 1)
            seat = s->defender;
        if (turn)
            seat = o->throwers == NEIGHBOURS ? next_in(s, seat) : (seat + 1) % seats;
        if (o->partners && (seat - s->defender) % 2 == 0)
            continue;
        if (!(s->done[s->attacked - 1] >> seat & 1) && s->hands[seat] & s->matching) {
            s->table.to_act = seat;
            return;
        }
    }
    end_bout(s);
}

static void defend(State *s, int action)
{
    int seat = s->defender;
    if (action == TAKE) {
        s->taking = s->attacked;
        if (options_of(s)->throw_after_take)
            ask_to_throw(s);
        else
            end_bout(s);
    } else if (action >= TRANSFER) {
        if (action >= SHOW) {
            s->shown = 1;
            s->held[seat] |= bit(action - SHOW);
        } else {
            lay_attack(s, seat, action - TRANSFER);
        }
        attack_by(s, seat);
        s->table.to_act = s->defender;
    } else {
        lay(s, seat, action, s->defences, &s->defended);
        if (s->defended == s->attacked)
            ask_to_throw(s);
    }
}

static void apply(void *state, int action)
{
    State *s = state;
    int seat = s->table.to_act;
    if (phase_of(s) == DEFEND) {
        defend(s, action);
        return;
    }
    if (action == DONE)
        s->done[s->attacked - 1] |= (int8_t)(1 << seat);
    else
        lay_attack(s, seat, action);
    if (s->taking || action == DONE)
        ask_to_throw(s);
    else
        s->table.to_act = s->defender;
}

static void observe(const void *state, int seat, int8_t *out)
{
    const State *s = state;
    int seats = s->table.seats;
    if (s->table.to_act < 0)
        return;
    out[SEEN_PHASE + phase_of(s)] = 1;
    for (int turn = 0; turn < seats; turn++) {
        int other = (seat + turn) % seats;
        mark(out + SEEN_HELD + CARDS * turn, turn ? s->held[other] : s->hands[seat]);
        out[SEEN_SEATS + turn] = 1;
        out[SEEN_SIZES + turn] = (int8_t)count(s->hands[other]);
        out[SEEN_ATTACKER + turn] = other == s->attacker;
        out[SEEN_DEFENDER + turn] = other == s->defender;
        for (int laid = 0; laid < s->attacked && laid < HAND - 1; laid++)
            out[SEEN_DONE + MOST_SEATS * laid + turn] = s->done[laid] >> other & 1;
    }
    mark(out + SEEN_DISCARDED, s->discarded);
    for (int place = 0; place < s->attacked; place++) {
        out[SEEN_ATTACKS + s->attacks[place]] = (int8_t)(place + 1);
        out[SEEN_TOGETHER + place] = s->together >> place & 1;
    }
    for (int place = 0; place < s->defended; place++)
        out[SEEN_DEFENCES + s->defences[place]] = (int8_t)(place + 1);
    for (int card = 0; card < CARDS; card++) {
        int turn = s->laid_by[card] - seat, bouts = s->number - s->when[card] + 1;
        turn += turn < 0 ? seats : 0;
        out[SEEN_LAID_BY + card] = (int8_t)(s->when[card] ? turn + 1 : 0);
        out[SEEN_WHEN + card] = (int8_t)(!s->when[card] ? 0 : bouts > 127 ? 127 : bouts);
    }
    out[SEEN_TRUMP + s->trump] = 1;
    out[SEEN_TRUMPS + s->trump / RANKS] = 1;
    out[SEEN_TAKEN] = s->taking;
    out[SEEN_SHOWN] = s->shown;
    out[SEEN_LEFT] = (int8_t)(s->limit - s->attacked);
    out[SEEN_TALON] = s->left_in_talon;
    out[SEEN_BOUT] = (int8_t)(s->number > 127 ? 127 : s->number);
}

static int hidden(const void *state, int seat, uint8_t *cards)
{
    const State *s = state;
    int listed = 0;
    for (int other = 0; other < s->table.seats; other++)
        if (other != seat)
            listed = list_set(s->hands[other] & ~s->held[other], cards, listed);
    for (int place = 0; place < s->left_in_talon; place++)
        cards[listed++] = s->talon[place];
    return listed;
}

/* For the solver. Where the last two sides can pass attacks on to each other, positions come again
 * and only the last bout of all ends it: such tables are not solved. */
static int left(const void *state)
{
    const State *s = state;
    const Options *o = options_of(s);
    int in = 0, cards = s->attacked + s->defended;
    if (s->table.to_act < 0 || s->left_in_talon
        || (o->transfer != NEVER && (o->transfer_back || o->partners)))
        return 0;
    for (int seat = 0; seat < s->table.seats; seat++) {
        in += !s->out[seat];
        cards += count(s->hands[seat]);
    }
    return o->partners || in == 2 ? 2 * cards : 0;
}

/* Between two seats one always attacks the other. */
static int side(const void *state, int seat)
{
    const State *s = state;
    int later = s->attacker > s->defender ? s->attacker : s->defender;
    return options_of(s)->partners ? seat % 2 : seat == later;
}

static int lead(const void *state)
{
    const State *s = state;
    int ahead = s->table.scores[s->attacker] - s->table.scores[s->defender];
    return side(s, s->attacker) ? -ahead : ahead;
}

static int bounds(const void *state, int *least, int *most)
{
    (void)state;
    *least = -2;
    *most = 2;
    return 1;
}

/* The number of the bout matters only where bout 500 may come. A bout takes cards from the game or
 * from the attacking side. Which side attacks changes at most once without cards leaving the game,
 * so that n cards last for 2 (n + (n - 2) + ... + 2) = n (n + 2) / 2 bouts at most. */
static uint64_t key(const void *state)
{
    const State *s = state;
    int cards = left(s) / 2, bouts_left = BOUTS - s->number, out = 0;
    uint64_t hash = mix(1, on_the_table(s)), unbeaten = 0;
    for (int seat = 0; seat < s->table.seats; seat++) {
        hash = mix(hash, s->hands[seat]);
        out |= (s->out[seat] != 0) << seat;
    }
    for (int place = s->defended; place < s->attacked; place++)
        unbeaten = unbeaten << 6 | (uint64_t)(s->attacks[place] + 1);
    hash = mix(hash, unbeaten);
    hash = mix(hash, (uint64_t)(s->table.to_act | s->attacker << 3 | s->defender << 6
                                | (s->limit - s->attacked) << 9 | (s->taking > 0) << 12
                                | (s->attacked ? s->done[s->attacked - 1] : 0) << 13 | out << 19));
    return bouts_left > cards * (cards + 2) / 2 ? hash : mix(hash, (uint64_t)s->number);
}

/* Cheap cards first. Neighbours in a suit, of ranks that no other card has, come to the same. */
static int ranked(const void *state, uint16_t *actions)
{
    const State *s = state;
    uint16_t legal_actions[MOST_ACTIONS];
    int16_t worth[MOST_ACTIONS];
    int listed = legal(state, legal_actions), kept = 0, deuces = options_of(s)->deuce_beats_ace;
    Cards hand = s->hands[s->table.to_act], all = on_the_table(s), alone = 0;
    for (int seat = 0; seat < s->table.seats; seat++)
        all |= s->hands[seat];
    for (int rank = deuces; rank < RANKS - deuces; rank++)
        if (count(all & rank_cards(rank)) == 1)
            alone |= all & rank_cards(rank);
    for (int place = 0; place < listed; place++) {
        int action = legal_actions[place], price;
        if (action < CARDS) {
            Cards lower = all & suit_cards(action / RANKS) & (bit(action) - 1);
            if (lower && alone & bit(action) && alone & hand & bit(highest(lower)))
                continue;
            price = action % RANKS + (action / RANKS == s->trump / RANKS ? RANKS : 0);
        } else if (action < TRANSFER) {
            price = (action - TOGETHER) / SETS_OF_A_RANK - 1;
        } else {
            price = action == TAKE ? 2 * RANKS : RANKS;
        }
        kept = insert(actions, worth, kept, action, -price);
    }
    return kept;
}

static const Solvable solvable = {
    .left = left,
    .side = side,
    .lead = lead,
    .key = key,
    .ranked = ranked,
    .bounds = bounds,
};

const Game durak = {
    .name = "durak",
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
    .solvable = &solvable,
};
