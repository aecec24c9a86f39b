#include "odds.h"

#include "rival.h"
#include "worth.h"

#include <stdint.h>
#include <string.h>

enum { SCORES = 24, PARTS = 40 };

Hand with(Hand hand, int worth)
{
    return (Hand){hand.total + worth + 1, hand.ace || worth == 0};
}

int score_of(Hand hand)
{
    return hand.ace && hand.total <= HIGHEST - 10 ? hand.total + 10 : hand.total;
}

static Counts without(Counts cards, int worth)
{
    cards.of[worth]--;
    cards.size--;
    return cards;
}

/* The pack that the next card comes from. Where only the hidden card is left, a fresh one. */
static Coming before_draw(Coming unseen)
{
    if (unseen.apart ? unseen.pool.size > 0 : unseen.pool.size > 1)
        return unseen;
    if (!unseen.apart && unseen.pool.size == 1) {
        unseen.hole = unseen.pool;
        unseen.apart = true;
    }
    unseen.pool = whole_pack();
    return unseen;
}

/* Add the chances of every score the dealer may end with: SCORES - 1 is for more than 21. */
static void play_dealer(Hand dealer, Counts pool, double chance, double ends[SCORES])
{
    const int score = score_of(dealer);
    if (score >= DEALER_STANDS) {
        ends[score > HIGHEST ? SCORES - 1 : score] += chance;
        return;
    }
    if (!pool.size)
        pool = whole_pack();
    const double each = chance / pool.size;
    for (int worth = 0; worth < WORTHS; worth++)
        if (pool.of[worth])
            play_dealer(with(dealer, worth), without(pool, worth), each * pool.of[worth], ends);
}

/* How often the seat and its rival win, by who does: the dealer decides both. */
typedef struct {
    double of[2][2];
} Outcomes;

/* A rival that still draws wins as often as anybody. */
static const double RIVAL_WINS = .34;

static Outcomes outcomes_of(int score, int rival, int open, const Coming *unseen)
{
    double ends[SCORES] = {0};
    Outcomes outcomes = {{{0}}};
    const Hand dealer = with((Hand){0, false}, open);
    const Counts *hole = unseen->apart ? &unseen->hole : &unseen->pool;
    for (int worth = 0; worth < WORTHS; worth++)
        if (hole->of[worth])
            play_dealer(with(dealer, worth),
                        unseen->apart ? unseen->pool : without(unseen->pool, worth),
                        (double)hole->of[worth] / hole->size, ends);
    for (int theirs = DEALER_STANDS; theirs < SCORES; theirs++) {
        const int bust = theirs > HIGHEST;
        const double rivals = rival == UNKNOWN ? RIVAL_WINS : rival > 0 && (bust || rival > theirs);
        double *of = outcomes.of[score > 0 && (bust || score > theirs)];
        of[0] += ends[theirs] * (1 - rivals);
        of[1] += ends[theirs] * rivals;
    }
    return outcomes;
}

double chance_to_win(int score, int open, const Coming *unseen)
{
    const Outcomes outcomes = outcomes_of(score, 0, open, unseen);
    return outcomes.of[1][0];
}

/* What so many chips are worth after the hand, which the rival wins this often. */
static double worth(const Purse *purse, int chips, double rival_wins)
{
    if (purse->aim == CHIPS)
        return chips;
    if (purse->aim == LEG)
        return worth_after(purse->hand, purse->first_round, chips);
    return rival_wins * chance_ahead(chips, true) + (1 - rival_wins) * chance_ahead(chips, false);
}

/* No further card, and the stake that makes the most of it; `rival_wins` gets how often it does. */
static Advice standing(Hand hand, int open, const Coming *unseen, const Purse *purse,
                       double *rival_wins)
{
    const Outcomes outcomes = outcomes_of(score_of(hand), purse->rival, open, unseen);
    const int all = purse->stake + purse->chips;
    const double won = outcomes.of[1][0] + outcomes.of[1][1], lost = 1 - won;
    const double wins = won > 0 ? outcomes.of[1][1] / won : 0;
    const double loses = lost > 0 ? outcomes.of[0][1] / lost : 0;
    Advice advice = {.chance = won, .value = -1};
    for (int part = 0; part <= PARTS; part++) {
        const int stake = purse->stake + (int)((double)purse->chips * part / PARTS);
        const double value =
            won * worth(purse, all + stake, wins) + lost * worth(purse, all - stake, loses);
        if (value > advice.value) {
            advice.value = value;
            advice.stake = stake;
        }
        if (purse->aim == LEG && won <= .5)
            break;              /* nothing more on a bad hand */
    }
    if (rival_wins)
        *rival_wins = outcomes.of[0][1] + outcomes.of[1][1];
    return advice;
}

/* Hands that were worked out, by the cards that were drawn for them. */
enum { MEMORY = 1 << 14 };

typedef struct {
    uint64_t key;
    double value;
} Known;

static Known memory[MEMORY];

static uint64_t key_of(const Coming *unseen)
{
    uint64_t key = unseen->apart + 1;
    for (int worth = 0; worth < WORTHS; worth++)
        key = key * 53 + unseen->pool.of[worth];
    return key;
}

static Advice considered(Hand hand, int open, const Coming *unseen, const Purse *purse);

/* What another card makes of a hand; `stands` is for no further one. */
static double after_card(Hand hand, int open, const Coming *unseen, const Purse *purse,
                         double rival_wins, bool stands)
{
    double sum = 0;
    const Coming next = before_draw(*unseen);
    for (int card = 0; card < WORTHS; card++) {
        if (!next.pool.of[card])
            continue;
        const double chance = (double)next.pool.of[card] / next.pool.size;
        const Hand longer = with(hand, card);
        if (longer.total > HIGHEST) {
            sum += chance * worth(purse, purse->chips, rival_wins);
            continue;
        }
        Coming rest = next;
        rest.pool = without(next.pool, card);
        if (stands) {
            sum += chance * standing(longer, open, &rest, purse, NULL).value;
            continue;
        }
        const uint64_t key = key_of(&rest);
        Known *known = &memory[key * 0x9E3779B97F4A7C15u >> 50];
        if (known->key != key)
            *known = (Known){key, considered(longer, open, &rest, purse).value};
        sum += chance * known->value;
    }
    return sum;
}

static Advice considered(Hand hand, int open, const Coming *unseen, const Purse *purse)
{
    double rival_wins;
    Advice advice = standing(hand, open, unseen, purse, &rival_wins);
    const double drawn = after_card(hand, open, unseen, purse, rival_wins, false);
    advice.draws = drawn > advice.value;
    if (advice.draws)
        advice.value = drawn;
    return advice;
}

Advice advise(Hand hand, int open, const Coming *unseen, const Purse *purse)
{
    memset(memory, 0, sizeof memory);
    return considered(hand, open, unseen, purse);
}

Scores scores_of(Hand hand, int open, const Coming *unseen)
{
    const Purse chip = {.stake = 1, .aim = CHIPS};
    memset(memory, 0, sizeof memory);
    return (Scores){
        standing(hand, open, unseen, &chip, NULL).value - 1,
        after_card(hand, open, unseen, &chip, 0, false) - 1,
        after_card(hand, open, unseen, &chip, 0, true) - 1,
    };
}
