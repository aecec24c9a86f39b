/* Durak. Cards are numbered 2C, 3C ... AC, 2D ... AS, in smaller packs too.
 * Rules are cited from docs/rules/durak.md.
 */
#include "durak.h"

/* The places of an observation: library/encodings/durak.py. */
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

/* The seats in the order in which they draw, some perhaps twice (rule b.5). */
static int list_drawing(const State *s, int *order)
{
    int seats = s->table.seats, refill = options_of(s)->refill, listed = 0;
    for (int turn = 0; turn < (refill == THROWERS ? s->attacked : seats); turn++) {
        int seat = refill == BY_SEATS ? turn
            : refill == THROWERS      ? s->laid_by[s->attacks[turn]]
                                      : (s->attacker + turn) % seats;
        if (refill == BY_SEATS || seat != s->defender)
            order[listed++] = seat;
    }
    order[listed++] = s->defender;
    return listed;
}

static void refill(State *s)
{
    int order[MOST_SEATS + 1], listed = list_drawing(s, order);
    for (int turn = 0; turn < listed; turn++)
        draw(s, order[turn]);
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

static void begin_bout(State *s)
{
    s->number++;
    s->matching = 0;
    memset(&s->attacked, 0, sizeof(State) - offsetof(State, attacked));
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
    begin_bout(s);
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

/* Reading a question's words. */

enum { GAME, ASKED, MAY, SEAT, OWN, SHOWN, TALON, SIZES, TABLE, ATTACKS, DEFENDS, LEFT, HISTORY };
enum { WORDS = HISTORY + 1 };

typedef struct {
    State *state;
    const Listener *listener;
    int sizes[MOST_SEATS]; /* of the hands */
    int last_drawn_by;     /* the seat that drew the trump, -1 before */
} Reading;

/* Returns 0 where this can't be. */
static int follow(Reading *r, int seat, int action)
{
    State *s = r->state;
    Options *o = (Options *)s->table.options;
    int before = s->attacked, is_set = action >= TOGETHER && action < TRANSFER;
    int cards = is_set ? count(SETS[(action - TOGETHER) % SETS_OF_A_RANK]) : action < SHOW;
    if (seat < 0 || seat >= s->table.seats || (before + cards > HAND && phase_of(s) != DEFEND))
        return 0;
    if (phase_of(s) == DEFEND && !s->defended) {
        s->defender = (int8_t)seat;
        s->limit = (int8_t)(r->sizes[seat] < HAND ? r->sizes[seat] : HAND);
    }
    if (r->listener)
        r->listener->acts(r->listener->own, s, seat, r->sizes[seat], action);
    r->sizes[seat] -= cards;
    if (action == DONE && before) {
        s->done[before - 1] |= (int8_t)(1 << seat);
    } else if (action == TAKE) {
        s->taking = s->attacked;
    } else if (action >= SHOW && action < TAKE) {
        s->shown = 1;
        s->held[seat] |= bit(action - SHOW);
        s->attacker = (int8_t)seat;
    } else if (action < CARDS && phase_of(s) == DEFEND) {
        if (!(beating(s, s->attacks[s->defended]) & bit(action)))
            o->deuce_beats_ace = 1;
        lay(s, seat, action, s->defences, &s->defended);
    } else if (action < SHOW && before + cards <= HAND) {
        if (!before || action >= TRANSFER)
            s->attacker = (int8_t)seat;
        lay_attack(s, seat, action >= TRANSFER ? action - TRANSFER : action);
    }
    return 1;
}

static void follow_end(Reading *r)
{
    State *s = r->state;
    const Listener *listener = r->listener;
    int order[MOST_SEATS + 1], listed = list_drawing(s, order);
    Cards cards = on_the_table(s);
    if (listener)
        listener->ends(listener->own, s);
    if (s->taking) {
        s->held[s->defender] |= cards;
        r->sizes[s->defender] += count(cards);
    } else {
        s->discarded |= cards;
    }
    for (int turn = 0; turn < listed; turn++) {
        int seat = order[turn], had = r->sizes[seat], drawn = had < HAND ? HAND - had : 0;
        if (drawn > s->left_in_talon)
            drawn = s->left_in_talon;
        s->left_in_talon -= (int8_t)drawn;
        r->sizes[seat] += drawn;
        if (drawn && !s->left_in_talon)
            r->last_drawn_by = seat;
        if (drawn && listener)
            listener->draws(listener->own, s, seat, had, drawn);
    }
    for (int seat = 0; seat < s->table.seats; seat++)
        if (!r->sizes[seat] && !s->left_in_talon && !s->out[seat])
            s->out[seat] = s->number;
    begin_bout(s);
}

/* Follows the history from the deal on; returns 0 where it can't be. */
static int follow_history(Reading *r, char **words)
{
    const char *text = words[HISTORY];
    State *s = r->state;
    for (int seat = 0; seat < s->table.seats; seat++)
        r->sizes[seat] = HAND;
    r->last_drawn_by = -1;
    s->number = 1;
    s->left_in_talon = (int8_t)(options_of(s)->deck - HAND * s->table.seats);
    if (!s->left_in_talon)
        s->held[s->table.seats - 1] = bit(s->trump);
    while (*text && *text != '-') {
        char answer[16] = "";
        int seat = -1;
        if (sscanf(text, "%d:%15[^,/]", &seat, answer) < 2 || !follow(r, seat, read_action(answer)))
            return 0;
        text += strcspn(text, ",/");
        if (*text == '/' || (!*text && words[TABLE][0] == '-'))
            follow_end(r);
        text += *text != 0;
    }
    return s->number <= BOUTS;
}

/* What single words tell of the options. */
static void read_options(Options *o, int count, char **words)
{
    o->throw_after_take = o->transfer_back = 1;
    o->first_limit = HAND;
    o->open_hands = count > WORDS;
    for (int i = MAY; i < WORDS; i += HISTORY - MAY) {
        o->several |= strchr(words[i], '+') != NULL;
        if (strstr(words[i], "show"))
            o->transfer = SHOW_TRUMP;
        else if (strstr(words[i], "pass") && !o->transfer)
            o->transfer = CARD;
    }
}

/* Follows the history with the first pack and order of drawing that lead to what the words say. */
static int fit(Reading *r, char **words, const int32_t *sizes)
{
    static const int decks[] = {52, 36, 32, 24};
    State begun = *r->state, *s = r->state;
    const Listener *listener = r->listener;
    for (int guess = 0; guess < 12; guess++) {
        Options *o = (Options *)s->table.options;
        *s = begun;
        o->deck = decks[guess / 3];
        o->refill = guess % 3;
        r->listener = NULL;
        if (o->deck < HAND * s->table.seats || !follow_history(r, words))
            continue;
        int fits = s->left_in_talon == atoi(words[TALON]), own = atoi(words[SEAT]);
        Cards known = s->discarded | on_the_table(s);
        for (int seat = 0; seat < s->table.seats; seat++) {
            fits &= r->sizes[seat] == sizes[seat];
            known |= s->held[seat];
        }
        if (r->last_drawn_by >= 0 && !(known >> s->trump & 1))
            fits &= (r->last_drawn_by == own)
                == (int)(read_cards(words[OWN], NAMES) >> s->trump & 1);
        if (fits) {
            Options told = *o;
            *s = begun;
            *o = told;
            r->listener = listener;
            return follow_history(r, words);
        }
    }
    return 0;
}

/* Fills in the hands: what is known, and unseen cards in any order. */
static void fill(Reading *r, const char *open)
{
    State *s = r->state;
    uint8_t cards[CARDS];
    Cards known = s->discarded | on_the_table(s), unseen = 0;
    for (int place = pack(s, cards) - 1; place >= 0; place--)
        unseen |= bit(cards[place]);
    for (int seat = 0; seat < s->table.seats; seat++, open = after(open, '/'))
        s->hands[seat] |= open ? read_cards(open, NAMES) : s->held[seat];
    for (int seat = 0; seat < s->table.seats; seat++)
        known |= s->hands[seat];
    if (r->last_drawn_by >= 0 && !(known >> s->trump & 1))
        s->hands[r->last_drawn_by] |= bit(s->trump);
    unseen &= ~(known | bit(s->trump));
    for (int seat = 0; seat < s->table.seats; seat++)
        while (unseen && count(s->hands[seat]) < r->sizes[seat])
            s->hands[seat] |= bit(take_lowest(&unseen));
    s->talon[0] = (uint8_t)s->trump;
    for (int place = 1; unseen && place < s->left_in_talon; place++)
        s->talon[place] = (uint8_t)take_lowest(&unseen);
}

int read_durak(State *s, int count, char **words, const Listener *listener)
{
    Reading reading = {.state = s, .listener = listener};
    Options *o = (Options *)s->table.options;
    int32_t sizes[MOST_SEATS];
    if (count < WORDS || strcmp(words[GAME], "durak") || strlen(words[SHOWN]) < 4)
        return 0;
    int seat = atoi(words[SEAT]), attacker = atoi(words[ATTACKS]), defender = atoi(words[DEFENDS]);
    s->table.seats = 1;
    for (const char *text = words[SIZES]; *text; text++)
        s->table.seats += *text == ',';
    int seats = s->table.seats;
    if (seats < 2 || seats > MOST_SEATS || seat < 0 || seat >= seats || attacker < 0
        || attacker >= seats || defender < 0 || defender >= seats)
        return 0;
    read_numbers(words[SIZES], sizes, seats);
    read_options(o, count, words);
    s->trump = (int8_t)read_card(words[SHOWN] + 2, NAMES);
    if (!fit(&reading, words, sizes))
        return 0;
    s->attacker = (int8_t)attacker;
    s->defender = (int8_t)defender;
    s->limit = (int8_t)(s->attacked + atoi(words[LEFT]));
    if (s->number == 1)
        o->first_limit = s->limit;
    o->partners = seats == 4 && !s->out[attacker] && defender != next_in(s, attacker);
    s->table.to_act = seat;
    s->hands[seat] = read_cards(words[OWN], NAMES);
    fill(&reading, o->open_hands ? words[WORDS] : NULL);
    return 1;
}

static int read(void *state, int count, char **words)
{
    return read_durak(state, count, words, NULL);
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
    .read = read,
    .solvable = &solvable,
};
