/* The choice of a card, by a tree in which deals are played out by rule. The taker plays against
 * both others, and they play for each other. */
#include "champion.h"
#include "native/tree.h"

/* In the taker's points for each point of the contract's multiplier. */
static const double TAKERS_EXPLORATION = 50, DEFENDERS_EXPLORATION = 100;

static void next_deal(void *position, void *random) { fill_in(position, random); }

static int list(const void *position, uint16_t *actions)
{
    const State *s = position;
    int listed = 0;
    if (s->table.to_act >= 0)
        for (Hand can = playable(s); !is_empty(can);)
            actions[listed++] = (uint16_t)take_card(&can);
    return listed;
}

enum { TAKER, DEFENDERS };

static int side(const void *position)
{
    const State *s = position;
    return s->table.to_act == s->taker ? TAKER : DEFENDERS;
}

static void takers_score(void *position, double *values)
{
    State *s = position;
    play_out(s);
    values[TAKER] = s->scores[s->taker];
    values[DEFENDERS] = -values[TAKER];
}

/* The search from here, over so many deals that are drawn for it. */
static Tree tree_of(const State *known, uint64_t *random, int games)
{
    Tree tree = {sizeof(State), 0, next_deal, list, tarot.apply, side, takers_score, NULL, 0, 0};
    tree.exploration = MULTIPLIERS[known->bids[known->taker] - PETITE]
        * (known->table.to_act == known->taker ? TAKERS_EXPLORATION : DEFENDERS_EXPLORATION);
    draw_deals(known, random, games < MOST_DEALS ? games : MOST_DEALS);
    return tree;
}

int choose_card(const State *known, uint64_t *random, int most_games)
{
    Hand can = playable(known);
    if (size_of(can) == 1)
        return take_card(&can);
    Tree tree = tree_of(known, random, most_games);
    return best_by_tree(&tree, known, random, most_games, random);
}

void evaluate_cards(const State *known, uint64_t *random, int games)
{
    uint16_t actions[MOST_ACTIONS];
    double values[MOST_ACTIONS];
    Tree tree = tree_of(known, random, games);
    int listed = values_by_tree(&tree, known, random, games, random, actions, values);
    int before = known->scores[known->taker], is_taker = known->table.to_act == known->taker;
    for (int i = 0; i < listed; i++) {
        print_cards(one_card(actions[i]));
        print_score(is_taker ? values[i] - before : (values[i] + before) / 2);
    }
}
