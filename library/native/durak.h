/* A state of durak. Cards are numbered 2C, 3C ... AC, 2D ... AS, in smaller packs too. */
#ifndef DURAK_H
#define DURAK_H

#include "words.h"

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

static const char NAMES[] = "23456789TJQKA"; /* of the ranks */

static inline const Options *options_of(const State *s)
{
    return (const Options *)s->table.options;
}

static inline Cards rank_cards(int rank) { return (Cards)0x8004002001 << rank; }

static inline Cards suit_cards(int suit) { return (Cards)0x1FFF << RANKS * suit; }

static inline int phase_of(const State *s)
{
    return s->taking ? GIVE : !s->attacked ? ATTACK : s->attacked == s->defended ? THROW : DEFEND;
}

/* All cards that beat this one (rule b.2). */
static inline Cards beating(const State *s, int attack)
{
    Cards suit = suit_cards(attack / RANKS), trumps = suit_cards(s->trump / RANKS);
    Cards better = suit & ~(bit(attack + 1) - 1);
    if (options_of(s)->deuce_beats_ace && attack % RANKS == RANKS - 1)
        better |= suit & rank_cards(0);
    return suit == trumps ? better : better | trumps;
}

/* An answer as it is written in a question, such as `7H`, `pass:7H` or `take`. */
static inline int read_action(const char *text)
{
    int card = read_card(text, NAMES), suits = 0, set = 0;
    if (*text == 't')
        return TAKE;
    if (*text == 'd')
        return DONE;
    if (*text == 'p' || *text == 's')
        return (*text == 'p' ? TRANSFER : SHOW) + read_card(text + strcspn(text, ": ") + 1, NAMES);
    if (strlen(text) < 3 || text[2] != '+')
        return card;
    for (; strlen(text) >= 2; text += text[2] == '+' ? 3 : 2)
        suits |= 1 << read_card(text, NAMES) / RANKS;
    while (set < SETS_OF_A_RANK - 1 && SETS[set] != suits)
        set++;
    return TOGETHER + SETS_OF_A_RANK * (card % RANKS) + set;
}

/* Is told what the history has, in turn; `own` is handed on. */
typedef struct {
    void *own;
    /* A seat with so many cards does this; the state is as before, but its hands are empty. */
    void (*acts)(void *own, const State *before, int seat, int size, int action);
    /* The bout is over, and everything of it lies there still. */
    void (*ends)(void *own, const State *state);
    /* A seat that had so many cards draws some more. */
    void (*draws)(void *own, const State *state, int seat, int had, int drawn);
} Listener;

/* Reads a question as `durak.read` does; the listener may be NULL. */
int read_durak(State *s, int count, char **words, const Listener *listener);

#endif
