/* The choice of a card: one tree over the cards as all see them played, in which every deal walks
 * only where it can, as in [Cowling 2012]. From its leaves deals are played out by rule. The taker
 * plays against both others, and they play for each other. */
#include "champion.h"

#include <math.h>

enum { MOST_NODES = 1 << 20, BETWEEN_LOOKS = 64 };

/* C of the formula of UCT [Kocsis 2006], in the taker's points for each point of the contract's
 * multiplier. What could be measured is for less as a taker and for more as a defender, within
 * chance. */
static const double TAKERS_EXPLORATION = 150, DEFENDERS_EXPLORATION = 280;

/* A card played after those above it: how often, the taker's scores in all, and how often it could
 * have been played. 0, the root, is nobody's child or sibling. */
typedef struct {
    int card, child, sibling, visits, available;
    double gain;
} Node;

static Node nodes[MOST_NODES];
static int used;

static int add_child(int parent, int card)
{
    nodes[used] = (Node){.card = card, .sibling = nodes[parent].child, .available = 1};
    nodes[parent].child = used;
    return used++;
}

/* The child of the highest bound, for the taker or against it. */
static int best_bound(int parent, Hand can, int taker, double exploration)
{
    double most = -HUGE_VAL;
    int best = 0;
    for (int i = nodes[parent].child; i; i = nodes[i].sibling) {
        const Node *node = &nodes[i];
        if (!has_card(can, node->card))
            continue;
        double mean = node->gain / node->visits;
        double bound = (taker ? mean : -mean)
            + exploration * sqrt(log(node->available) / node->visits);
        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

static int any_of(Hand cards, uint64_t *random)
{
    for (int skipped = below(random, size_of(cards)); skipped; skipped--)
        take_card(&cards);
    return take_card(&cards);
}

/* Plays down the tree to a card that was never tried; returns how many nodes are on the way. */
static int walk(State *s, uint64_t *random, double exploration, int path[])
{
    int node = 0, length = 0, is_new = 0;
    path[length++] = 0;
    while (s->table.to_act >= 0 && !is_new && used < MOST_NODES) {
        Hand can = playable(s), untried = can;
        for (int i = nodes[node].child; i; i = nodes[i].sibling) {
            untried = without(untried, one_card(nodes[i].card));
            nodes[i].available += has_card(can, nodes[i].card);
        }
        is_new = !is_empty(untried);
        node = is_new ? add_child(node, any_of(untried, random))
                      : best_bound(node, can, s->table.to_act == s->taker, exploration);
        tarot.apply(s, nodes[node].card);
        path[length++] = node;
    }
    return length;
}

/* The node tried most often; `lead` gets how far ahead of the next one it is. */
static int most_tried(int *lead)
{
    int best = nodes[0].child, next = 0;
    for (int i = nodes[best].sibling; i; i = nodes[i].sibling) {
        if (nodes[i].visits > nodes[best].visits) {
            next = nodes[best].visits;
            best = i;
        } else if (nodes[i].visits > next) {
            next = nodes[i].visits;
        }
    }
    *lead = nodes[best].visits - next;
    return best;
}

/* Whether the time is up, or too little is left for another card to come out first. */
static int is_decided(int games)
{
    double share = time_used();
    int lead;
    most_tried(&lead);
    return share >= 1 || lead * share > games * (1 - share);
}

int choose_card(const State *known, uint64_t *random, int most_games)
{
    Hand can = playable(known);
    double exploration = MULTIPLIERS[known->bids[known->taker] - PETITE]
        * (known->table.to_act == known->taker ? TAKERS_EXPLORATION : DEFENDERS_EXPLORATION);
    int path[3 * TRICKS + 1], unused;
    if (size_of(can) == 1)
        return take_card(&can);
    draw_deals(known, random, most_games < MOST_DEALS ? most_games : MOST_DEALS);
    nodes[0] = (Node){0};
    used = 1;
    for (int games = 0; games < most_games; games++) {
        if (games && games % BETWEEN_LOOKS == 0 && is_decided(games))
            break;
        State s = *known;
        fill_in(&s, random);
        int length = walk(&s, random, exploration, path);
        play_out(&s);
        for (int i = 0; i < length; i++) {
            nodes[path[i]].visits++;
            nodes[path[i]].gain += s.scores[s.taker];
        }
    }
    return nodes[most_tried(&unused)].card;
}
