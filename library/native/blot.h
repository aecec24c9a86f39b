/* A state of Bazar Blot. Cards are numbered 7C, 8C ... AC, 7D ... AS. */
#ifndef BLOT_H
#define BLOT_H

#include "blot_solver.h"
#include "game.h"

enum { DRAW, DEAL, BID, PLAY };
enum { CARDS = 32, TRICKS = 8, LOWEST_LEVEL = 8, HIGHEST_LEVEL = 80, NO_TRUMP = 4 };
enum { LEVELS = HIGHEST_LEVEL - LOWEST_LEVEL + 1, GROUPS = 11, CAPOT = 5 };

/* A bid is one of ten strains, the last five with capot, and then a level. */
enum {
    PASS = CARDS,
    CONTRA,
    RECONTRA,
    STRAINS,
    FIRST_LEVEL = STRAINS + 2 * CAPOT,
    ANNOUNCE = FIRST_LEVEL + LEVELS,
    ACTIONS = ANNOUNCE + GROUPS,
};

/* Values of options that are words: each option's first value is 0. */
typedef struct {
    int32_t open_hands, target, max_deals, seat_0_deals, three_passes, capot_level,
        declarer_recontras, must_ruff, only_higher, free_undertrump, bots_declare, belote_overlap,
        low_runs, rounded, capot_fulfils, declarations_help, defenders_rounded, belote_kept,
        no_trump_4_8, substitute;
} Options;

enum { TIERCE, FIFTY, HUNDRED, FOUR, BELOTE };
enum { NOTHING = -1, LARGEST = -2 }; /* beside the groups that can be announced */

typedef struct {
    uint32_t cards;
    int16_t value, class;
} Declaration;

/* All declarations of a hand, the best class first and a belote last. */
typedef struct {
    int32_t count;
    Declaration of[3];
} Declared;

typedef struct {
    Table table;
    Cards hands[4];
    Declared declared[4];
    int32_t scores[2], won[2], deal, contracts, dealer;
    /* From here on all is zero when a deal begins. */
    int16_t points[2], worth; /* card points of the sides and of the trick */
    uint8_t phase, begun;     /* the first action of an answer that has two, else 0 */
    int8_t level, strain, capot, bidder, doubled, waiting, passes[2];
    int8_t best, leader, laid, played, tricks[2];
    uint8_t bids[LEVELS];            /* by level: the seat in the high half, strain + 1 */
    uint8_t order[CARDS], by[CARDS]; /* the cards played, and the seats that played them */
} State;

static const char RANKS[] = "789TJQKA";

static inline const Options *options_of(const State *s) { return (const Options *)s->table.options; }

static inline Cards suit_cards(int suit) { return (Cards)0xFF << 8 * suit; }

static inline int first_seat(const State *s) { return (s->dealer + 1) % 4; }

/* The declarations of a hand that announces this group: those with the most points, of equal ones
 * with the fewest cards, then the strongest. For LARGEST the group is free, as in rule c.2. */
Declared declarations_of(const State *s, Cards hand, int group);

/* What declarations count for both sides (rule c.4), and their belotes alone. */
typedef struct {
    int points[2], belotes[2];
} Awarded;

Awarded award(const State *s);

/* The cards that the seat which is to act can't hold if it plays this one. */
Cards excluded_by(const State *s, int card);

/* The position for the solver while cards are played; its values are what is still to come. */
Position position_of(const State *s);

/* How many points more side 0 scores than side 1 in this contract if it takes so many card points
 * in the whole deal, as the solver counts them. */
int lead_from(const State *s, int taken, const Awarded *awarded);

#endif
