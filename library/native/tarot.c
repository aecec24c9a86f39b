/* French tarot. Cards are numbered 1C, 2C ... KC, 1D ... KS, A1 ... A21, EX. Rules are cited from
 * docs/rules/tarot.md. */
#include "tarot.h"
#include "words.h"

/* The places of an observation: library/encodings/tarot.py. */
enum {
    SEEN_PHASE = 0,
    SEEN_HAND = SEEN_PHASE + 3,
    SEEN_PLAYED = SEEN_HAND + CARDS,
    SEEN_WHEN = SEEN_PLAYED + 3 * CARDS,
    SEEN_TRICK = SEEN_WHEN + CARDS,
    SEEN_DOG = SEEN_TRICK + CARDS,
    SEEN_DISCARD = SEEN_DOG + CARDS,
    SEEN_SHOWN = SEEN_DISCARD + CARDS,
    SEEN_PICKED = SEEN_SHOWN + 3 * (CARDS - TRUMPS),
    SEEN_SIZE = SEEN_PICKED + CARDS,
    SEEN_LAID = SEEN_SIZE + 1,
    SEEN_DEALER = SEEN_LAID + 3,
    SEEN_BIDS = SEEN_DEALER + 3,
    SEEN_CHELEM = SEEN_BIDS + 3,
    SEEN_TAKER = SEEN_CHELEM + 3,
    SEEN_CONTRACT = SEEN_TAKER + 3,
    SEEN_TOOK = SEEN_CONTRACT + 4,
    SEEN_POINTS = SEEN_TOOK + 3,
    SEEN_SCORES = SEEN_POINTS + 3,
    SEEN_DEALS = SEEN_SCORES + 3,
    FEATURES = SEEN_DEALS + 2,
};

static void deal_next(State *s)
{
    s->dealer = first_seat(s);
    s->phase = DEAL;
    s->table.to_act = CHANCE;
}

static void annul(State *s)
{
    s->again++;
    deal_next(s);
}

/* Goes on to the next deal, or ends the game (rule b.7). */
static void end_deal(State *s)
{
    if (s->number < options_of(s)->deals) {
        s->number++;
        s->again = 0;
        deal_next(s);
        return;
    }
    s->table.to_act = OVER;
    for (int seat = 0; seat < 3; seat++) {
        s->table.scores[seat] = s->scores[seat];
        s->table.hands[seat] = s->deals_played;
        s->table.won[seat] = s->won[seat];
    }
}

static void start(void *state)
{
    State *s = state;
    s->number = 1;
    s->dealer = 1;
    deal_next(s);
}

static int pack(const void *state, uint8_t *cards)
{
    (void)state;
    return full_pack(cards, CARDS);
}

/* Deals, and looks for a petit sec (rules a.2 and a.3). */
static void deal(void *state, const uint8_t *order)
{
    State *s = state;
    int first = first_seat(s), petit_sec = 0;
    memset((char *)s + offsetof(State, hands), 0, sizeof *s - offsetof(State, hands));
    for (int place = 0; place < CARDS; place++) {
        int turn = place % 13;
        int seat = (first + (turn < 4 ? 0 : turn < 9 ? 1 : 2)) % 3;
        Hand *hand = turn == 4 ? &s->dog : &s->hands[seat];
        *hand = with(*hand, one_card(order[place]));
    }
    for (int seat = 0; seat < 3; seat++)
        petit_sec |= s->hands[seat].trumps == PETIT_BIT;
    if (petit_sec && !options_of(s)->petit_sec_ignored) {
        annul(s);
        return;
    }
    s->phase = BID;
    s->table.to_act = first;
}

/* A bit for each defender that announced the chelem. */
static int defence_chelem(const State *s)
{
    int seats = 0;
    for (int seat = 0; seat < 3; seat++)
        if (s->bids[seat] == PASSED)
            seats |= s->chelem & 1 << seat;
    return seats;
}

static void first_trick(State *s)
{
    int leader = first_seat(s), taker = s->chelem & 1 << s->taker;
    int announced = taker ? taker : defence_chelem(s);
    while (announced && !(announced >> leader & 1))
        leader = (leader + 1) % 3;
    s->phase = PLAY;
    s->table.to_act = leader;
}

/* Goes on after the third bid (rules b.1 to b.3). */
static void close_bids(State *s)
{
    for (int seat = 0; seat < 3; seat++)
        if (s->bids[seat] > s->bids[s->taker])
            s->taker = (int8_t)seat;
    if (s->bids[s->taker] == PASSED) {
        if (s->again < options_of(s)->redeals)
            annul(s);
        else
            end_deal(s);
        return;
    }
    s->phase = DISCARD;
    if (!takes_dog(s)) {
        first_trick(s);
        return;
    }
    s->hands[s->taker] = with(s->hands[s->taker], s->dog);
    s->table.to_act = s->taker;
    if (options_of(s)->no_trump_discards && may_be_put_away(s->hands[s->taker]).trumps)
        annul(s);
}

/* The cards that can be picked next if `missing` more are picked from these, in ascending order:
 * above the last one picked, and with enough cards left above them. */
static Hand next_picks(const State *s, Hand from, int missing)
{
    if (s->picked.trumps)
        from = (Hand){0, from.trumps & above(highest(s->picked.trumps))};
    else if (s->picked.suits)
        from.suits &= above(highest(s->picked.suits));
    for (int later = 1; later < missing; later++)
        if (from.trumps)
            from.trumps &= ~bit(highest(from.trumps));
        else
            from.suits &= ~bit(highest(from.suits));
    return from;
}

/* What may be put away next: trumps only after all other cards. */
static Hand discards(const State *s)
{
    Hand from = may_be_put_away(s->hands[s->taker]);
    Cards first = from.suits & ~s->picked.suits;
    if (from.trumps && first)
        return one_card(lowest(first));
    if (from.trumps)
        from.suits = 0;
    return next_picks(s, from, DOG - size_of(s->picked));
}

/* What may be shown next (rule b.4): the Excuse only for a missing trump. */
static Hand poignee_cards(const State *s, Hand hand)
{
    Hand from = {0, trumps_of(hand)};
    if (count(from.trumps) < s->size)
        from.trumps = hand.trumps;
    return next_picks(s, from, s->size - size_of(s->picked));
}

static int legal_bids(const State *s, uint16_t *actions)
{
    int lowest = options_of(s)->petite ? PETITE : GARDE, listed = 0;
    if (highest_bid(s) >= lowest)
        lowest = highest_bid(s) + 1;
    for (int first = PASS; first <= PASS + CHELEM; first += CHELEM) {
        if (first == PASS || options_of(s)->chelem_by_any)
            actions[listed++] = (uint16_t)first;
        for (int bid = lowest; bid <= CONTRE; bid++)
            actions[listed++] = (uint16_t)(first + bid - PASSED);
    }
    return listed;
}

static int legal(const void *state, uint16_t *actions)
{
    const State *s = state;
    Hand hand = s->hands[s->table.to_act], cards;
    int listed;
    if (s->phase == BID)
        return legal_bids(s, actions);
    if (s->phase == DISCARD)
        cards = discards(s);
    else if (size_of(s->picked) < s->size)
        cards = poignee_cards(s, hand);
    else
        cards = playable(s);
    listed = list_cards(cards.suits, actions, 0);
    while (cards.trumps)
        actions[listed++] = (uint16_t)(TRUMPS + take_lowest(&cards.trumps));
    if (s->phase == PLAY && s->played < 3 && !s->size) {
        int smallest = !options_of(s)->small_poignees;
        for (int size = smallest; size < smallest + 3; size++)
            if (SIZES[size] <= count(hand.trumps))
                actions[listed++] = (uint16_t)(SHOW + size);
    }
    return listed;
}

/* The half points of the Excuse that the taker gets when it has been played (rule b.5). */
static int excuse_share(const State *s, int player)
{
    int own = player == s->taker, won = s->winner == s->taker;
    if (s->played == 3 * TRICKS && player != s->winner)
        return 9 * (options_of(s)->excuse_to_winner ? won : !own);
    return own == won ? 9 * own : own ? 8 : 1;
}

/* The chelem's points for the taker who takes so many tricks (rule b.6). */
static int chelem_points(const State *s, int took)
{
    int by_taker = s->chelem >> s->taker & 1, by_defence = defence_chelem(s) > 0;
    if (took == TRICKS)
        return by_taker ? 400 : 200;
    if (!took)
        return by_defence ? -400 : -200;
    return 200 * by_defence - 200 * by_taker;
}

/* The petit's points for the taker if this seat wins it in the last trick (rule b.6). */
static int petit_points(const State *s, int winner)
{
    int points = 10 * MULTIPLIERS[s->bids[s->taker] - PETITE];
    return winner == s->taker ? points : -points;
}

/* Whether the petit was in the last trick, or in the one before an Excuse that ends a chelem. */
static int petit_at_the_end(const State *s)
{
    int excuse_won = s->order[LAST_TRICK] == EXCUSE && s->by[LAST_TRICK] == s->winner;
    return memchr(s->order + LAST_TRICK - 3 * excuse_won, TRUMPS, 3) != NULL;
}

/* The cards beside the tricks that count for the taker. */
static Hand aside(const State *s) { return s->bids[s->taker] == SANS ? s->dog : s->discard; }

/* What a defender pays for so many half points and bouts, and for what is paid besides. */
static int price_of(const State *s, int half, int bouts, int extras)
{
    const Options *o = options_of(s);
    int multiplier = MULTIPLIERS[s->bids[s->taker] - PETITE], over = half - 2 * NEEDED[bouts];
    int sign = over >= o->more_needed ? 1 : -1;
    extras += sign * s->poignees;
    over = over < 0 ? -over : over;
    return o->halves_kept ? sign * (50 + over) * multiplier + 2 * extras
                          : sign * (25 + (over + 1) / 2) * multiplier + extras;
}

/* The half points and bouts that the taker has so far. */
static int taker_half_points(const State *s)
{
    return s->half_points[s->taker] + s->excuse + half_points_of(aside(s));
}

static int taker_bouts(const State *s)
{
    return s->bouts + (s->excuse >= 8) + count(aside(s).trumps & BOUTS);
}

/* Scores a deal (rule b.6). */
static void finish(State *s)
{
    int half = taker_half_points(s), bouts = taker_bouts(s);
    int extras = chelem_points(s, s->took[s->taker]), price;
    int made = half - 2 * NEEDED[bouts] >= options_of(s)->more_needed;
    if (petit_at_the_end(s))
        extras += petit_points(s, s->winner);
    price = price_of(s, half, bouts, extras);
    s->deals_played++;
    for (int seat = 0; seat < 3; seat++) {
        s->scores[seat] += seat == s->taker ? 2 * price : -price;
        s->won[seat] += (seat == s->taker) == made;
    }
    end_deal(s);
}

static void take_trick(State *s)
{
    int first = s->played - 3;
    if (first == LAST_TRICK && s->order[first] == EXCUSE && s->by[first] == s->taker
        && s->took[s->taker] == TRICKS - 1)
        s->winner = s->taker;
    for (int place = first; place < s->played; place++) {
        int card = s->order[place];
        if (card == EXCUSE) {
            s->excuse = (int8_t)excuse_share(s, s->by[place]);
            continue;
        }
        s->half_points[s->winner] += (uint8_t)half_points(card);
        if (s->winner == s->taker && card >= TRUMPS && bit(card - TRUMPS) & BOUTS)
            s->bouts++;
    }
    s->took[s->winner]++;
    s->laid = 0;
    s->table.to_act = s->winner;
    if (s->played == 3 * TRICKS)
        finish(s);
}

static void play_card(State *s, int card)
{
    int seat = s->table.to_act;
    int better = !s->laid || s->best == EXCUSE;
    if (!better && card != EXCUSE)
        better = card > s->best && (card >= TRUMPS || card / SUIT == s->best / SUIT);
    s->hands[seat] = without(s->hands[seat], one_card(card));
    s->order[s->played] = (uint8_t)card;
    s->by[s->played++] = (uint8_t)seat;
    if (better) {
        s->best = (int8_t)card;
        s->winner = (int8_t)seat;
    }
    s->table.to_act = (seat + 1) % 3;
    if (++s->laid == 3)
        take_trick(s);
}

static void apply(void *state, int action)
{
    State *s = state;
    int seat = s->table.to_act;
    if (s->phase == BID) {
        s->bids[seat] = (int8_t)((action - PASS) % CHELEM + PASSED);
        s->chelem |= (int8_t)((action >= PASS + CHELEM) << seat);
        s->table.to_act = (seat + 1) % 3;
        if (++s->bidders == 3)
            close_bids(s);
    } else if (s->phase == DISCARD) {
        s->picked = with(s->picked, one_card(action));
        if (size_of(s->picked) < DOG)
            return;
        s->discard = s->picked;
        s->hands[seat] = without(s->hands[seat], s->picked);
        s->picked = (Hand){0, 0};
        first_trick(s);
    } else if (action >= SHOW) {
        s->size = SIZES[action - SHOW];
        s->poignees += (int8_t)(20 + 10 * (action - SHOW - !options_of(s)->small_poignees));
    } else if (size_of(s->picked) < s->size) {
        s->picked = with(s->picked, one_card(action));
    } else {
        if (s->size)
            s->shown[seat] = s->picked.trumps;
        s->picked = (Hand){0, 0};
        s->size = 0;
        play_card(s, action);
    }
}

static void mark_hand(int8_t *plane, Hand hand)
{
    mark(plane, hand.suits);
    mark(plane + TRUMPS, hand.trumps);
}

static int sees_dog(const State *s, int seat)
{
    return takes_dog(s) && (seat == s->taker || !options_of(s)->dog_hidden);
}

static void observe(const void *state, int seat, int8_t *out)
{
    const State *s = state;
    int first = s->played - s->laid, follow = options_of(s)->deals - s->number;
    if (s->phase == DEAL)
        return;
    out[SEEN_PHASE + s->phase - BID] = 1;
    mark_hand(out + SEEN_HAND, s->hands[seat]);
    for (int place = 0; place < s->played; place++) {
        int card = s->order[place];
        out[SEEN_PLAYED + CARDS * ((s->by[place] - seat + 3) % 3) + card] = 1;
        out[SEEN_WHEN + card] = (int8_t)(place / 3 + 1);
        if (place >= first)
            out[SEEN_TRICK + card] = 1;
    }
    if (sees_dog(s, seat))
        mark_hand(out + SEEN_DOG, s->dog);
    mark_hand(out + SEEN_DISCARD, seat == s->taker ? s->discard : (Hand){0, s->discard.trumps});
    if (seat == s->table.to_act) {
        mark_hand(out + SEEN_PICKED, s->picked);
        out[SEEN_SIZE] = s->size;
    }
    out[SEEN_LAID + s->laid] = 1;
    out[SEEN_DEALER + (s->dealer - seat + 3) % 3] = 1;
    if (s->phase > BID) {
        out[SEEN_TAKER + (s->taker - seat + 3) % 3] = 1;
        out[SEEN_CONTRACT + s->bids[s->taker] - PETITE] = 1;
    }
    for (int turn = 0; turn < 3; turn++) {
        int other = (seat + turn) % 3;
        mark(out + SEEN_SHOWN + (CARDS - TRUMPS) * turn, s->shown[other]);
        out[SEEN_BIDS + turn] = s->bids[other];
        out[SEEN_CHELEM + turn] = (int8_t)(s->chelem >> other & 1);
        out[SEEN_TOOK + turn] = s->took[other];
        out[SEEN_POINTS + turn] = (int8_t)(s->half_points[other] / 2);
        out[SEEN_SCORES + turn] = in_tens(s->scores[other]);
    }
    out[SEEN_DEALS] = (int8_t)(s->number < 127 ? s->number : 127);
    out[SEEN_DEALS + 1] = (int8_t)(follow < 127 ? follow : 127);
}

enum { GAME, ASKED, LEGAL, SEAT, BY, HAND, CALLS, TAKER, CONTRACT, SEEN_CARDS, PUT_AWAY, SHOWN,
       HISTORY, TRICK, SCORES, NUMBER, WORDS };

static const char *const BIDS[CHELEM] = {"pass", "petite", "garde", "sans", "contre"};

/* A card such as `KH`, `A21` or `EX`. */
static int read_tarot_card(const char *text)
{
    if (*text == 'E')
        return EXCUSE;
    return *text == 'A' ? TRUMPS - 1 + atoi(text + 1) : read_card(text, "123456789TJNQK");
}

/* Cards with commas between them, up to a stroke. */
static Hand read_hand(const char *text)
{
    Hand cards = {0, 0};
    while (*text && *text != '-' && *text != '/') {
        cards = with(cards, one_card(read_tarot_card(text)));
        text += strcspn(text, ",/");
        text += *text == ',';
    }
    return cards;
}

static void read_bids(State *s, const char *text)
{
    for (int seat = 0; text && seat < 3; seat++, text = after(text, ','))
        for (int bid = 0; bid < CHELEM; bid++)
            if (!strncmp(text, BIDS[bid], strlen(BIDS[bid]))) {
                s->bids[seat] = (int8_t)(PASSED + bid);
                s->bidders++;
                s->chelem |= (int8_t)((text[strlen(BIDS[bid])] == '!') << seat);
            }
}

/* Which poignées there are differs between tables: these are the usual ones. */
static void read_poignees(State *s, const char *text)
{
    for (; text && *text != '-'; text = after(text, '/')) {
        Cards shown = s->shown[atoi(text)] = read_hand(text + 2).trumps;
        s->poignees += count(shown) >= 18 ? 40 : count(shown) >= 15 ? 30 : 20;
    }
}

/* `1:KC,4C,8C/1:KD`: the seat that led, and the cards. */
static void read_tricks(State *s, const char *text)
{
    while (text && *text != '-') {
        const char *next = after(text, '/');
        s->table.to_act = atoi(text);
        for (text += 2; text && (!next || text < next); text = after(text, ','))
            play_card(s, read_tarot_card(text));
        text = next;
    }
}

static int read(void *state, int count, char **words)
{
    State *s = state;
    Options *o = (Options *)s->table.options;
    if (count < WORDS || strcmp(words[GAME], "tarot"))
        return 0;
    int seat = atoi(words[SEAT]) % 3;
    s->phase = *words[ASKED] == 'b' ? BID : *words[ASKED] == 'd' ? DISCARD : PLAY;
    s->table.seats = 3;
    s->dealer = atoi(words[BY]);
    read_bids(s, words[CALLS]);
    s->taker = (int8_t)(s->phase == BID ? 0 : atoi(words[TAKER]));
    s->dog = read_hand(words[SEEN_CARDS]);
    s->discard = read_hand(words[PUT_AWAY]);
    read_poignees(s, words[SHOWN]);
    read_numbers(words[SCORES], s->scores, 3);
    sscanf(words[NUMBER], "%d/%d", &s->number, &o->deals);
    o->petite = strstr(words[LEGAL], "petite") != NULL; /* what is allowed tells these options */
    o->chelem_by_any = strstr(words[LEGAL], "pass!") != NULL;
    o->dog_hidden = takes_dog(s) && is_empty(s->dog);
    read_tricks(s, words[HISTORY]);
    read_tricks(s, words[TRICK]);
    s->table.to_act = seat;
    s->hands[seat] = read_hand(words[HAND]);
    const char *hands = count > WORDS ? words[WORDS] : NULL;
    for (int other = 0; hands && other < 3; other++, hands = after(hands, '/'))
        s->hands[other] = read_hand(hands);
    return 1;
}

static int hidden(const void *state, int seat, uint8_t *cards)
{
    const State *s = state;
    Hand unknown = sees_dog(s, seat) ? (Hand){0, 0} : s->dog;
    int listed = 0;
    if (seat != s->taker)
        unknown = with(unknown, s->discard);
    for (int other = 0; other < 3; other++)
        if (other != seat)
            unknown = with(unknown, s->hands[other]);
    if (takes_dog(s) && !sees_dog(s, seat))
        for (int place = 0; place < s->played; place++)
            if (s->by[place] == s->taker) /* from its own hand or from the dog */
                unknown = with(unknown, one_card(s->order[place]));
    while (!is_empty(unknown))
        cards[listed++] = (uint8_t)take_card(&unknown);
    return listed;
}

/* For the solver: the taker is side 0, the defenders are side 1. The first trick is left out, since
 * poignées are announced in it. */
static int left(const void *state)
{
    const State *s = state;
    return s->phase == PLAY && s->played >= 3 ? 3 * TRICKS - s->played : 0;
}

static int side(const void *state, int seat)
{
    const State *s = state;
    return seat != s->taker;
}

static int lead(const void *state)
{
    const State *s = state;
    return s->scores[s->taker] - s->scores[(s->taker + 1) % 3];
}

/* What the taker has so far, who holds what, the trick on the table, which chelem is possible. */
static uint64_t key(const void *state)
{
    const State *s = state;
    int took = s->took[s->taker], tricks = s->played / 3;
    int first = s->played - s->laid;
    uint64_t hash = (uint64_t)(s->table.to_act | s->laid << 2 | (!took) << 4 | (took == tricks) << 5
                               | (s->bouts + (s->excuse >= 8)) << 6
                               | (s->half_points[s->taker] + s->excuse) << 8);
    if (first == LAST_TRICK) /* an Excuse that ends a chelem looks back */
        hash |= (uint64_t)(memchr(s->order + first - 3, TRUMPS, 3) != NULL) << 16;
    for (int place = first; place < s->played; place++)
        hash |= (uint64_t)(s->order[place] + 1) << (24 + 8 * (place - first));
    hash = mix(0, hash);
    for (int seat = 0; seat < 3; seat++) {
        hash = mix(hash, s->hands[seat].suits);
        hash = mix(hash, s->hands[seat].trumps);
    }
    return hash;
}

static int ranked(const void *state, uint16_t *actions)
{
    const State *s = state;
    uint16_t legal_cards[TRICKS];
    int16_t worth[TRICKS];
    int listed = legal(state, legal_cards), kept = 0, seat = s->table.to_act;
    int led_excuse = s->laid && s->best == EXCUSE;
    int opens = s->laid == led_excuse;
    int ours = !opens && side(s, s->winner) == side(s, seat);
    Hand out = {0, 0}, theirs = {0, 0};
    for (int other = 0; other < 3; other++) {
        out = with(out, s->hands[other]);
        if (side(s, other) != side(s, seat))
            theirs = with(theirs, s->hands[other]);
    }
    if (!opens)
        out = with(out, one_card(s->best));
    for (int place = listed - 1; place >= 0; place--) {
        int card = legal_cards[place], trump = card >= TRUMPS, points = half_points(card);
        Cards same = trump ? trumps_of(out) : out.suits & suit_of(card);
        Cards higher = same & above(trump ? card - TRUMPS : card), next = higher & -higher;
        Cards hand = trump ? s->hands[seat].trumps : s->hands[seat].suits;
        int value;
        if (card != EXCUSE && hand & next
            && half_points(lowest(next) + (trump ? TRUMPS : 0)) == points)
            continue; /* as good as the next higher card of the hand */
        int wins = opens ? !(higher & (trump ? theirs.trumps : theirs.suits))
                         : card > s->best && (trump || card / SUIT == s->best / SUIT);
        int rank = trump ? (card - TRUMPS) / 2 : card % SUIT;
        if (card == EXCUSE)
            value = -30;
        else if (opens)
            value = wins ? 20 + points : -points;
        else if (ours)
            value = points * 2 - rank;
        else if (wins)
            value = 40 + 2 * points - (s->laid == 2 ? rank : -rank);
        else
            value = -2 * points - rank;
        kept = insert(actions, worth, kept, card, value);
    }
    return kept;
}

/* The taker gets all half points and bouts that are in play, or none. */
static int bounds(const void *state, int *least, int *most)
{
    const State *s = state;
    int half = taker_half_points(s), bouts = taker_bouts(s), took = s->took[s->taker];
    int before = lead(s), tricks = s->played / 3, low, high, petit, all;
    Hand open = with(s->hands[0], with(s->hands[1], s->hands[2]));
    if (s->played >= LAST_TRICK)
        return 0; /* the petit may be in the trick before */
    for (int place = s->played - s->laid; place < s->played; place++)
        open = with(open, one_card(s->order[place]));
    low = high = chelem_points(s, 1);
    if (took == 0)
        low = chelem_points(s, 0); /* never more */
    if (took == tricks)
        high = chelem_points(s, TRICKS); /* never less */
    petit = open.trumps & PETIT_BIT ? petit_points(s, s->taker) : 0;
    *least = before + 3 * price_of(s, half, bouts, low - petit);
    all = bouts + count(open.trumps & BOUTS);
    *most = before + 3 * price_of(s, half + half_points_of(open), all, high + petit);
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

const Game tarot = {
    .name = "tarot",
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
