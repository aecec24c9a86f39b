#include "odds.h"

#include "worth.h"

#include <stdint.h>
#include <string.h>

enum { DEALER_STANDS = 17, HIGHEST = 21, SCORES = 24, SHARES = 40 };

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

/* The chance that a score beats the dealer's: equal scores lose. */
static double chance_to_win(int score, int open, const Coming *unseen)
{
    double ends[SCORES] = {0}, chance;
    const Hand dealer = with((Hand){0, false}, open);
    const Counts *hole = unseen->apart ? &unseen->hole : &unseen->pool;
    for (int worth = 0; worth < WORTHS; worth++)
        if (hole->of[worth])
            play_dealer(with(dealer, worth),
                        unseen->apart ? unseen->pool : without(unseen->pool, worth),
                        (double)hole->of[worth] / hole->size, ends);
    chance = ends[SCORES - 1];
    for (int theirs = DEALER_STANDS; theirs < score; theirs++)
        chance += ends[theirs];
    return chance;
}

static double worth(const Purse *purse, int chips)
{
    return worth_after(purse->hand, purse->first_round, chips);
}

/* The stake that makes the most of a hand that wins with this chance. */
static void choose_stake(Advice *advice, const Purse *purse)
{
    const int all = purse->stake + purse->chips;
    const double chance = advice->chance;
    advice->value = -1;
    for (int share = 0; share <= SHARES; share++) {
        const int stake = purse->stake + (int)((double)purse->chips * share / SHARES);
        const double value =
            chance * worth(purse, all + stake) + (1 - chance) * worth(purse, all - stake);
        if (value > advice->value) {
            advice->value = value;
            advice->stake = stake;
        }
        if (chance <= .5)
            break;              /* nothing more on a bad hand */
    }
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

static Advice considered(Hand hand, int open, const Coming *unseen, const Purse *purse)
{
    Advice advice = {.chance = chance_to_win(score_of(hand), open, unseen)};
    choose_stake(&advice, purse);
    double draws = 0;
    const Coming next = before_draw(*unseen);
    for (int card = 0; card < WORTHS; card++) {
        if (!next.pool.of[card])
            continue;
        const double chance = (double)next.pool.of[card] / next.pool.size;
        const Hand longer = with(hand, card);
        if (longer.total > HIGHEST) {
            draws += chance * worth(purse, purse->chips);
            continue;
        }
        Coming rest = next;
        rest.pool = without(next.pool, card);
        const uint64_t key = key_of(&rest);
        Known *known = &memory[key * 0x9E3779B97F4A7C15u >> 50];
        if (known->key != key)
            *known = (Known){key, considered(longer, open, &rest, purse).value};
        draws += chance * known->value;
    }
    advice.draws = draws > advice.value;
    if (advice.draws)
        advice.value = draws;
    return advice;
}

Advice advise(Hand hand, int open, const Coming *unseen, const Purse *purse)
{
    memset(memory, 0, sizeof memory);
    return considered(hand, open, unseen, purse);
}
