/* Bazar blot. Cards are numbered 7C, 8C ... AC, 7D ... AS.
 * Rules are cited from docs/rules/blot.md.
 */
#include "blot.h"
#include "words.h"

/* The places of an observation: library/encodings/blot.py. */
enum {
    SEEN_PHASE = 0,
    SEEN_HAND = SEEN_PHASE + 2,
    SEEN_PLAYED = SEEN_HAND + CARDS,
    SEEN_WHEN = SEEN_PLAYED + 4 * CARDS,
    SEEN_TRICK = SEEN_WHEN + CARDS,
    SEEN_LAID = SEEN_TRICK + CARDS,
    SEEN_DEALER = SEEN_LAID + 4,
    SEEN_BIDDERS = SEEN_DEALER + 4,
    SEEN_STRAINS = SEEN_BIDDERS + LEVELS,
    SEEN_PASSES = SEEN_STRAINS + LEVELS,
    SEEN_LEVEL = SEEN_PASSES + 2,
    SEEN_STRAIN = SEEN_LEVEL + 1,
    SEEN_CAPOT = SEEN_STRAIN + 5,
    SEEN_BIDDER = SEEN_CAPOT + 1,
    SEEN_DOUBLED = SEEN_BIDDER + 4,
    SEEN_ANNOUNCED = SEEN_DOUBLED + 2,
    SEEN_BELOTE = SEEN_ANNOUNCED + 4 * 4,
    SEEN_SHOWN = SEEN_BELOTE + 4,
    SEEN_POINTS = SEEN_SHOWN + 4 * CARDS,
    SEEN_SCORES = SEEN_POINTS + 2,
    SEEN_MISSING = SEEN_SCORES + 2,
    SEEN_BEGUN = SEEN_MISSING + 2,
    FEATURES = SEEN_BEGUN + 2 * CAPOT + GROUPS,
};

static const int8_t HEIGHTS[2][8] = {{1, 2, 3, 7, 4, 5, 6, 8}, {1, 2, 7, 5, 8, 3, 4, 6}};
static const int8_t POINTS[3][8] = {
    {0, 0, 0, 10, 2, 3, 4, 11}, {0, 0, 14, 10, 20, 3, 4, 11}, {0, 0, 0, 10, 2, 3, 4, 19}};
/* By rank the trumps that are higher. */
static const uint8_t HIGHER[8] = {0xFE, 0xFC, 0x10, 0x94, 0x00, 0xDC, 0x9C, 0x14};

/* Declarations (rules c.1 to c.4). */

static int top_rank(Declaration one) { return highest(one.cards) % 8; }

/* Adds the longest runs of three cards and more, the better class first. */
static void add_runs(Declared *declared, uint32_t cards)
{
    static const int16_t values[] = {20, 50, 100};
    int before = declared->count;
    Declaration *runs = declared->of + before, first;
    for (int suit = 0; suit < 4; suit++)
        for (int top = 7, length; top >= 0; top -= length + 1) {
            int16_t class;
            for (length = 0; length <= top && cards >> (8 * suit + top - length) & 1; length++)
                ;
            if (length < 3)
                continue;
            class = (int16_t)(length > 5 ? HUNDRED : length - 3);
            declared->of[declared->count++] = (Declaration){
                ((1u << length) - 1) << (8 * suit + top - length + 1), values[class], class};
        }
    if (declared->count == before + 2 && runs[1].class > runs[0].class) {
        first = runs[0];
        runs[0] = runs[1];
        runs[1] = first;
    }
}

/* The fours of a hand and then its belote, as the rules order them. */
static int list_sets(uint32_t hand, int strain, Declaration *sets)
{
    static const int8_t ranks[2][6] = {{4, 2, 7, 6, 5, 3}, {7, 6, 5, 4, 3}};
    static const int16_t values[2][6] = {{200, 140, 110, 100, 100, 100}, {190, 100, 100, 100, 100}};
    int no_trump = strain == NO_TRUMP, listed = 0;
    uint32_t everywhere = hand & hand >> 8 & hand >> 16 & hand >> 24;
    for (int i = 0; everywhere && i < 6 - no_trump; i++)
        if (everywhere >> ranks[no_trump][i] & 1)
            sets[listed++] = (Declaration){
                0x01010101u << ranks[no_trump][i], values[no_trump][i], FOUR};
    if (!no_trump && (hand >> 8 * strain & 0x60) == 0x60)
        sets[listed++] = (Declaration){0x60u << 8 * strain, 20, BELOTE};
    return listed;
}

/* Every way to lay out a hand: some fours and the belote, then the runs of the other cards. With
 * `overlap` there is always the belote, and its cards count in the others too. */
static int lay_out(uint32_t hand, int strain, int overlap, Declared *layouts)
{
    static const uint8_t subsets[] = {0, 1, 2, 4, 3, 5, 6, 7}; /* the smaller first */
    Declaration sets[3];
    int listed = list_sets(hand, strain, sets), laid_out = 0;
    int belote = listed && sets[listed - 1].class == BELOTE ? 1 << (listed - 1) : 0;
    for (int i = 0; i < 8; i++) {
        Declared declared = {0};
        uint32_t taken = 0, twice = 0;
        int subset = subsets[i];
        if (subset >> listed || (overlap && belote & ~subset))
            continue;
        for (int set = 0; set < listed; set++) {
            if (!(subset >> set & 1) || (overlap && sets[set].class == BELOTE))
                continue;
            twice |= taken & sets[set].cards;
            taken |= sets[set].cards;
            if (sets[set].class == FOUR)
                declared.of[declared.count++] = sets[set];
        }
        if (twice)
            continue;
        add_runs(&declared, hand & ~taken);
        if (subset & belote)
            declared.of[declared.count++] = sets[listed - 1];
        layouts[laid_out++] = declared;
    }
    return laid_out;
}

/* Decides between two declarations that are compared (rule c.4): the greater is better. */
static int strength(Declaration one, int strain, int low_runs)
{
    static const int8_t fours[8] = {0, 0, 4, 2, 5, 0, 1, 3}; /* Q K T A 9 J by rank */
    int rank = top_rank(one), trumps = (one.cards & suit_cards(strain)) != 0;
    if (one.class == FOUR)
        return FOUR << 11 | one.value << 3 | fours[rank];
    return one.class << 11 | (low_runs ? 7 - rank : rank) << 1 | trumps;
}

/* The number of declarations that are compared: all but the belote, and never more than two. */
static int compared(const Declared *declared)
{
    int all = declared->count;
    return all - (all && declared->of[all - 1].class == BELOTE);
}

/* The number of a group of classes among the actions that announce. `chosen` are bits: the compared
 * declarations that are in it. */
static int group_of(const Declared *declared, int chosen)
{
    static const int8_t pairs[4][4] = {{4}, {5, 6}, {7}, {8, 9, 0, 10}};
    if (!chosen)
        return NOTHING;
    if (chosen < 3)
        return declared->of[chosen - 1].class;
    return pairs[declared->of[0].class][declared->of[1].class];
}

/* The groups that a hand may announce, as bits. */
static int announceable(uint32_t hand, int strain, int overlap)
{
    Declared layouts[8];
    int groups = 0;
    for (int i = lay_out(hand, strain, overlap, layouts); i-- > 0;)
        for (int chosen = (1 << compared(&layouts[i])) - 1; chosen > 0; chosen--)
            groups |= 1 << group_of(&layouts[i], chosen);
    return groups;
}

Declared declarations_of(const State *s, Cards hand, int group)
{
    Declared layouts[8], best = {0};
    int64_t most = -1;
    int laid_out = lay_out((uint32_t)hand, s->strain, options_of(s)->belote_overlap, layouts);
    for (int i = 0; i < laid_out; i++) {
        int all = compared(&layouts[i]), every = (1 << all) - 1;
        for (int chosen = group == LARGEST ? every : 0; chosen <= every; chosen++) {
            Declared said = {0};
            int64_t worth = 0, size = 0, strengths = 0;
            if (group != LARGEST && group != group_of(&layouts[i], chosen))
                continue;
            for (int place = 0; place < layouts[i].count; place++) {
                Declaration one = layouts[i].of[place];
                if (place < all && !(chosen >> place & 1))
                    continue;
                said.of[said.count++] = one;
                worth += one.value;
                size += count(one.cards);
                if (group != LARGEST && place < all)
                    strengths = strengths << 14 | strength(one, s->strain, 0);
            }
            worth = (worth << 5 | (31 - size)) << 28 | strengths;
            if (worth > most) {
                most = worth;
                best = said;
            }
        }
    }
    return best;
}

/* The deal and the auction (rules a and b). */

static void deal_next(State *s)
{
    s->phase = DEAL;
    s->table.to_act = CHANCE;
}

static void start(void *state)
{
    State *s = state;
    s->deal = 1;
    deal_next(s);
    if (!options_of(s)->seat_0_deals)
        s->phase = DRAW;
}

static int pack(const void *state, uint8_t *cards)
{
    (void)state;
    return full_pack(cards, CARDS);
}

static void deal(void *state, const uint8_t *order)
{
    State *s = state;
    if (s->phase == DRAW) {
        s->dealer = highest_drawn(order, 8);
        deal_next(s);
        return;
    }
    memset(s->hands, 0, sizeof s->hands);
    memset(s->declared, 0, sizeof s->declared);
    memset(s->points, 0, sizeof(State) - offsetof(State, points));
    for (int place = 0; place < CARDS; place++)
        s->hands[(first_seat(s) + place / 4) % 4] |= bit(order[place]);
    s->phase = BID;
    s->table.to_act = first_seat(s);
}

/* Enters what both sides have gained, and goes on to the next deal or ends the game (rule e.4). */
static void end_deal(State *s, const int *gained)
{
    const Options *o = options_of(s);
    int highest;
    for (int side = 0; side < 2; side++) {
        s->scores[side] += gained[side];
        s->won[side] += gained[side] > gained[1 - side];
    }
    highest = s->scores[0] > s->scores[1] ? s->scores[0] : s->scores[1];
    s->contracts += s->level > 0;
    if (s->deal == o->max_deals || (highest >= o->target && s->scores[0] != s->scores[1])) {
        s->table.to_act = OVER;
        for (int seat = 0; seat < 4; seat++) {
            s->table.scores[seat] = s->scores[seat % 2];
            s->table.hands[seat] = s->contracts;
            s->table.won[seat] = s->won[seat % 2];
        }
        return;
    }
    s->deal++;
    s->dealer = first_seat(s);
    deal_next(s);
}

static void first_lead(State *s)
{
    const Options *o = options_of(s);
    for (int seat = 0; seat < 4; seat++)
        s->declared[seat] = declarations_of(s, s->hands[seat], o->bots_declare ? NOTHING : LARGEST);
    s->phase = PLAY;
    s->table.to_act = first_seat(s);
}

static void call(State *s, int action)
{
    const Options *o = options_of(s);
    int seat = s->table.to_act, next = (seat + 1) % 4;
    if (action >= STRAINS && !s->begun) {
        s->begun = (uint8_t)action;
        return;
    }
    if (s->begun) {
        int strain = s->begun - STRAINS;
        s->level = (int8_t)(LOWEST_LEVEL + action - FIRST_LEVEL);
        s->strain = (int8_t)(strain % CAPOT);
        s->capot = strain >= CAPOT;
        s->bidder = (int8_t)seat;
        s->bids[s->level - LOWEST_LEVEL] = (uint8_t)(seat << 4 | (strain + 1));
        s->passes[0] = s->begun = 0;
    } else if (action == CONTRA) {
        s->doubled = 1;
        s->waiting = !o->declarer_recontras;
        if (o->declarer_recontras)
            next = s->bidder;
    } else if (action == RECONTRA) {
        s->doubled = 2;
        first_lead(s);
        return;
    } else {
        int passes = ++s->passes[s->doubled];
        if (s->waiting) {
            s->waiting = 0;
            next = (seat + 2) % 4;
        } else if (!s->level && passes == 4) {
            end_deal(s, (int[]){0, 0});
            return;
        } else if (s->level && (s->doubled || passes == 4 - o->three_passes)) {
            first_lead(s);
            return;
        }
    }
    s->table.to_act = next;
}

static int legal_calls(const State *s, uint16_t *actions)
{
    int listed = 0, ours = (s->bidder - s->table.to_act) % 2 == 0;
    int level = s->level ? s->level + 1 : LOWEST_LEVEL, capot_level = options_of(s)->capot_level;
    if (capot_level < level)
        capot_level = level;
    if (s->begun) {
        int low = s->begun - STRAINS < CAPOT ? level : capot_level;
        for (; low <= HIGHEST_LEVEL; low++)
            actions[listed++] = (uint16_t)(FIRST_LEVEL + low - LOWEST_LEVEL);
        return listed;
    }
    actions[listed++] = PASS;
    if (s->doubled) {
        actions[listed++] = RECONTRA;
        return listed;
    }
    if (s->level && !ours)
        actions[listed++] = CONTRA;
    for (int strain = s->capot ? CAPOT : 0; level <= HIGHEST_LEVEL && strain < 2 * CAPOT; strain++)
        actions[listed++] = (uint16_t)(STRAINS + strain);
    return listed;
}

/* The tricks (rules d). */

static int beats_best(const State *s, int card)
{
    const int8_t *heights = HEIGHTS[card / 8 == s->strain];
    if (card / 8 != s->best / 8)
        return card / 8 == s->strain;
    return heights[card % 8] > heights[s->best % 8];
}

static Cards playable(const State *s, Cards hand)
{
    const Options *o = options_of(s);
    int led = s->order[s->played - s->laid] / 8, partner_wins = 0;
    Cards suit = hand & suit_cards(led), trumps = hand & suit_cards(s->strain), higher = trumps;
    if (suit && led != s->strain)
        return suit;
    if (!trumps)
        return hand;
    if (s->best / 8 == s->strain)
        higher &= (Cards)HIGHER[s->best % 8] << 8 * s->strain;
    if (suit)
        return higher ? higher : suit;
    partner_wins = s->laid >= 2 && s->leader == (s->table.to_act + 2) % 4;
    if (partner_wins && !o->must_ruff) {
        Cards allowed = o->only_higher ? hand & ~(trumps & ~higher) : hand;
        return allowed ? allowed : hand;
    }
    return higher ? higher : o->free_undertrump ? hand : trumps;
}

/* A card may be played from a hand if it may be from each two cards that it has. */
Cards excluded_by(const State *s, int card)
{
    Cards excluded = 0;
    for (int other = 0; s->laid && other < CARDS; other++)
        if (!(playable(s, bit(card) | bit(other)) & bit(card)))
            excluded |= bit(other);
    return excluded;
}

static int legal(const void *state, uint16_t *actions)
{
    const State *s = state;
    Cards hand = s->hands[s->table.to_act];
    int listed;
    if (s->phase == BID)
        return legal_calls(s, actions);
    listed = list_cards(s->laid ? playable(s, hand) : hand, actions, 0);
    if (options_of(s)->bots_declare && s->played < 4 && !s->begun) {
        int groups = announceable((uint32_t)hand, s->strain, options_of(s)->belote_overlap);
        for (int group = 0; group < GROUPS; group++)
            if (groups >> group & 1)
                actions[listed++] = (uint16_t)(ANNOUNCE + group);
    }
    return listed;
}

Awarded award(const State *s)
{
    Awarded awarded = {0};
    int best = -1, best_seat = 0;
    for (int step = 0; step < 4; step++) {
        int seat = (first_seat(s) + step) % 4;
        for (int i = 0; i < compared(&s->declared[seat]); i++) {
            int value = strength(s->declared[seat].of[i], s->strain, options_of(s)->low_runs);
            if (value > best) {
                best = value;
                best_seat = seat;
            }
        }
    }
    for (int seat = 0; seat < 4; seat++)
        for (int i = 0; i < s->declared[seat].count; i++) {
            Declaration one = s->declared[seat].of[i];
            if (one.class == BELOTE)
                awarded.belotes[seat % 2] += one.value;
            if (one.class == BELOTE || (seat - best_seat) % 2 == 0)
                awarded.points[seat % 2] += one.value;
        }
    return awarded;
}

/* Card points in tens, a rest of six or more rounded up (rule e.2). */
static int tens(int points) { return (points + 4) / 10; }

/* Scores a deal that was played to its end (rules e.1 to e.3), from the sides' card points and
 * tricks. */
static void score(const State *s, const int16_t *points, const int8_t *tricks,
                  const Awarded *awarded, int *gained)
{
    static const int8_t factors[3][3] = {{1, 2, 4}, {2, 3, 5}, {2, 4, 8}};
    const Options *o = options_of(s);
    const int *declared = awarded->points;
    int side = s->bidder % 2, counted = tricks[side] == TRICKS ? MOST_POINTS : points[side];
    int kind = s->strain == NO_TRUMP ? 1 + o->no_trump_4_8 : 0;
    int made, winner, loser, all, left, share, rest = 0;
    counted += o->declarations_help ? declared[side] : 0;
    made = (o->rounded ? tens(counted) : counted / 10) >= s->level;
    if (tricks[side] == TRICKS)
        made |= o->capot_fulfils;
    else
        made &= !s->capot;
    winner = made ? side : 1 - side;
    loser = 1 - winner;
    all = tricks[winner] == TRICKS;
    share = all ? 25 : 16;
    left = declared[loser];
    if (!made || s->doubled) { /* the winner takes it all */
        left = o->belote_kept ? awarded->belotes[loser] : 0;
    } else if (!all) {
        share = tens(points[side]);
        rest = o->defenders_rounded ? tens(points[loser]) : 16 - share;
    }
    gained[winner] = s->level * factors[kind][s->doubled] + share + declared[winner] / 10;
    gained[loser] = rest + left / 10;
}

static void play(State *s, int action)
{
    int seat = s->table.to_act, kind = s->strain == NO_TRUMP ? 2 : action / 8 == s->strain;
    if (action >= ANNOUNCE) {
        s->begun = (uint8_t)action;
        return;
    }
    if (s->begun)
        s->declared[seat] = declarations_of(s, s->hands[seat], s->begun - ANNOUNCE);
    s->begun = 0;
    s->hands[seat] &= ~bit(action);
    if (!s->laid || beats_best(s, action)) {
        s->best = (int8_t)action;
        s->leader = (int8_t)seat; /* the seat whose card is best so far */
    }
    s->order[s->played] = (uint8_t)action;
    s->by[s->played++] = (uint8_t)seat;
    s->worth = (int16_t)(s->worth + POINTS[kind][action % 8]);
    s->table.to_act = (seat + 1) % 4;
    if (++s->laid < 4)
        return;
    s->points[s->leader % 2] = (int16_t)(s->points[s->leader % 2] + s->worth);
    s->tricks[s->leader % 2]++;
    s->worth = s->laid = 0;
    s->table.to_act = s->leader;
    if (s->played == CARDS) {
        Awarded awarded = award(s);
        int gained[2];
        s->points[s->leader % 2] = (int16_t)(s->points[s->leader % 2] + LAST_TRICK);
        score(s, s->points, s->tricks, &awarded, gained);
        end_deal(s, gained);
    }
}

/* The deal goes to the opponents of a seat that gives no legal answer (rule d.5). */
static void revoke(State *s)
{
    int gained[2] = {0}, everything = 0;
    for (int seat = 0; seat < 4; seat++)
        for (int i = 0; i < s->declared[seat].count; i++)
            everything += s->declared[seat].of[i].value;
    gained[1 - s->table.to_act % 2] = 16 + everything / 10;
    end_deal(s, gained);
}

static int allows(const void *state, int action)
{
    const State *s = state;
    return action == ACTIONS && s->phase == PLAY && !s->begun && !options_of(s)->substitute;
}

static void apply(void *state, int action)
{
    State *s = state;
    if (action == ACTIONS)
        revoke(s);
    else if (s->phase == BID)
        call(s, action);
    else
        play(s, action);
}

/* What has been announced: by class with a seat's first card, with the cards after its second; a
 * belote with the first of its cards (rule c.3). */
static void observe_declared(const State *s, int seat, int turn, int8_t *out)
{
    int left = count(s->hands[seat]);
    for (int i = 0; i < s->declared[seat].count; i++) {
        Declaration one = s->declared[seat].of[i];
        if (one.class == BELOTE) {
            out[SEEN_BELOTE + turn] = (one.cards & ~s->hands[seat]) != 0;
        } else if (left < TRICKS) {
            out[SEEN_ANNOUNCED + 4 * turn + one.class]++;
            for (Cards cards = left < TRICKS - 1 ? one.cards : 0; cards;)
                out[SEEN_SHOWN + CARDS * turn + take_lowest(&cards)] = (int8_t)(one.class + 1);
        }
    }
}

static int8_t cut(int number)
{
    return (int8_t)(number < -127 ? -127 : number > 127 ? 127 : number);
}

static void observe(const void *state, int seat, int8_t *out)
{
    const State *s = state;
    int first = s->played - s->laid;
    if (s->phase < BID)
        return;
    out[SEEN_PHASE + s->phase - BID] = 1;
    mark(out + SEEN_HAND, s->hands[seat]);
    for (int place = 0; place < s->played; place++) {
        int card = s->order[place];
        out[SEEN_PLAYED + CARDS * ((s->by[place] - seat) & 3) + card] = 1;
        out[SEEN_WHEN + card] = (int8_t)(place / 4 + 1);
        if (place >= first)
            out[SEEN_TRICK + card] = 1;
    }
    out[SEEN_LAID + s->laid] = 1;
    out[SEEN_DEALER + ((s->dealer - seat) & 3)] = 1;
    if (s->level) {
        for (int level = 0; level < LEVELS; level++) {
            uint8_t bid = s->bids[level];
            out[SEEN_BIDDERS + level] = (int8_t)(bid ? (((bid >> 4) - seat) & 3) + 1 : 0);
            out[SEEN_STRAINS + level] = bid & 15;
        }
        out[SEEN_LEVEL] = s->level;
        out[SEEN_STRAIN + s->strain] = 1;
        out[SEEN_CAPOT] = s->capot;
        out[SEEN_BIDDER + ((s->bidder - seat) & 3)] = 1;
        if (s->doubled)
            out[SEEN_DOUBLED + s->doubled - 1] = 1;
    }
    out[SEEN_PASSES] = s->passes[0];
    out[SEEN_PASSES + 1] = s->passes[1];
    for (int turn = 0; turn < 4; turn++)
        observe_declared(s, (seat + turn) % 4, turn, out);
    for (int turn = 0; turn < 2; turn++) {
        int side = (seat + turn) % 2;
        out[SEEN_POINTS + turn] = (int8_t)(s->points[side] / 2);
        out[SEEN_SCORES + turn] = in_tens(s->scores[side]);
        out[SEEN_MISSING + turn] = cut(options_of(s)->target - s->scores[side]);
    }
    if (s->begun && seat == s->table.to_act)
        out[SEEN_BEGUN + (s->begun >= ANNOUNCE ? s->begun - ANNOUNCE + 2 * CAPOT
                                               : s->begun - STRAINS)] = 1;
}

enum { GAME, ASKED, LEGAL, SEAT, BY, HAND, CALLS, STANDING, DECLARED, HISTORY, TRICK, TAKEN, SIDES,
       TARGET, WORDS };

/* Tables may ask others after a contra, or end sooner after passes; the calls count alike. */
static void read_calls(State *s, const char *text)
{
    for (; text && *text != '-' && s->phase == BID; text = after(text, ',')) {
        int level = (int)strtol(text, (char **)&text, 10);
        if (level) {
            const char *strain = strchr("CDHSN", *text);
            call(s, STRAINS + (strain ? (int)(strain - "CDHSN") : 0) + CAPOT * (text[1] == 'c'));
            call(s, FIRST_LEVEL + level - LOWEST_LEVEL);
        } else {
            call(s, *text == 'P' ? PASS : text[1] == 'X' ? RECONTRA : CONTRA);
        }
    }
}

/* `2:B:KS,QS/3:T`: seat, class and, once they have been shown, the cards. */
static void read_declarations(State *s, const char *text)
{
    static const char classes[] = "TFH4B";
    static const int16_t values[] = {20, 50, 100, 100, 20}; /* of fours without their cards */
    for (; text && *text != '-'; text = after(text, '/')) {
        Declared *declared = &s->declared[atoi(text) & 3];
        int16_t class = (int16_t)(strchr(classes, text[2]) - classes);
        Declaration one = {0, values[class], class}, sets[3];
        if (text[3] == ':')
            one.cards = (uint32_t)read_cards(text + 4, RANKS);
        if (class == FOUR && one.cards && list_sets(one.cards, s->strain, sets))
            one.value = sets[0].value;
        if (declared->count < 3)
            declared->of[declared->count++] = one;
    }
}

/* `2:KS,JS,TH,AS/3:9S`: the seat that led, and the cards. */
static void read_tricks(State *s, const char *text)
{
    for (; text && *text != '-'; text = after(text, '/')) {
        s->table.to_act = atoi(text) & 3;
        for (text++; *text == ':' || *text == ','; text += 3)
            play(s, read_card(text + 1, RANKS));
    }
}

static int read(void *state, int count, char **words)
{
    State *s = state;
    Options *o = (Options *)s->table.options;
    if (count < WORDS || strcmp(words[GAME], "blot"))
        return 0;
    int seat = atoi(words[SEAT]) & 3, plays = *words[ASKED] == 'p';
    *o = (Options){.target = atoi(words[TARGET]), .capot_level = 25, .declarations_help = 1};
    o->bots_declare = plays && strchr(words[LEGAL], '+') != NULL;
    s->table.seats = 4;
    s->deal = 1;
    s->dealer = atoi(words[BY]);
    read_numbers(words[SIDES], s->scores, 2);
    s->phase = BID;
    s->table.to_act = first_seat(s);
    read_calls(s, words[CALLS]);
    s->phase = plays ? PLAY : BID;
    read_declarations(s, words[DECLARED]);
    read_tricks(s, words[HISTORY]);
    read_tricks(s, words[TRICK]);
    s->table.to_act = seat;
    s->hands[seat] = read_cards(words[HAND], RANKS);
    const char *hands = count > WORDS ? words[WORDS] : NULL;
    for (int other = 0; hands && other < 4; other++, hands = after(hands, '/'))
        s->hands[other] = read_cards(hands, RANKS);
    return 1;
}

static int hidden(const void *state, int seat, uint8_t *cards)
{
    const State *s = state;
    int listed = 0;
    for (int other = 0; other < 4; other++)
        if (other != seat)
            listed = list_set(s->hands[other], cards, listed);
    return listed;
}

/* With `declare: bot` a first card can come with an announcement, so nothing is solved before all
 * have played one. */
static int left(const void *state)
{
    const State *s = state;
    return s->phase == PLAY && !(options_of(s)->bots_declare && s->played < 4) ? CARDS - s->played
                                                                               : 0;
}

static int sweeper(const State *s)
{
    if (s->tricks[0] && s->tricks[1])
        return NOBODY;
    return s->tricks[0] ? 0 : s->tricks[1] ? 1 : EITHER;
}

int lead_from(const State *s, int taken, const Awarded *awarded)
{
    int gained[2], swept = taken == MOST_POINTS ? 0 : taken == -SWEEP ? 1 : -1;
    int16_t points[2] = {(int16_t)taken, (int16_t)(ALL_POINTS - taken)};
    int8_t tricks[2] = {0};
    if (swept >= 0) {
        tricks[swept] = TRICKS;
        points[swept] = ALL_POINTS;
        points[1 - swept] = 0;
    }
    score(s, points, tricks, awarded, gained);
    return gained[0] - gained[1];
}

Position position_of(const State *s)
{
    const Options *o = options_of(s);
    Position p = {.order = order_of(s->strain), .trick = NO_CARDS, .seat = s->table.to_act,
                  .sweeper = sweeper(s), .must_ruff = o->must_ruff,
                  .only_higher = o->only_higher, .free_undertrump = o->free_undertrump};
    for (int seat = 0; seat < 4; seat++)
        for (Cards cards = s->hands[seat]; cards;)
            p.hands[seat] |= (Places)1 << p.order.place[take_lowest(&cards)];
    if (s->laid)
        p.trick = (Trick){p.order.place[s->order[s->played - s->laid]], p.order.place[s->best],
                          s->leader, s->worth, 4 - s->laid};
    return p;
}

static int solve(void **own, const void *state, uint16_t *actions, int32_t *values)
{
    const State *s = state;
    Position p = position_of(s);
    Awarded awarded = award(s);
    int listed = legal(state, actions), guess = ALL_POINTS / 2;
    if (!*own)
        *own = new_blot_solver();
    if (!*own)
        return -1;
    new_deal(*own);
    for (int place = 0; place < listed; place++) {
        guess = value_after(*own, &p, p.order.place[actions[place]], guess);
        values[place] = lead_from(s, s->points[0] + guess, &awarded) * (p.seat % 2 ? -1 : 1);
    }
    return listed;
}

static const Solvable solvable = {.solve = solve, .left = left};

const Game blot = {
    .name = "blot",
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
    .allows = allows,
    .solvable = &solvable,
};
