/* One tree over the cards as all see them played, in which every deal walks only where it can, as
   in [Cowling 2012]. From its leaves deals are played out by
   rule. The taker plays against both others, and they play for each other. */

#include "search.h"

#include "deals.h"
#include "rules.h"
#include "timer.h"

#include <math.h>

enum { MOST_NODES = 1 << 20, DEALS = 2000, BETWEEN_LOOKS = 64 };

/* C of the formula of UCT [Kocsis 2006], in points for each point of the contract's multiplier. What could be
   measured is for less as a taker and for more as a defender, within chance. */
static const double TAKERS_EXPLORATION = 75, DEFENDERS_EXPLORATION = 140;

/* A card played after those above it: how often, what the taker got in all, and how often it could
   have been played. 0, the root, is nobody's child or sibling. */
typedef struct {
    int card, child, sibling, visits, available;
    double gain;
} Node;

static Node nodes[MOST_NODES];
static int used;

static int add_child(int parent, int card)
{
    nodes[used] = (Node){.card = card, .sibling = nodes[parent].child};
    nodes[parent].child = used;
    return used++;
}

/* The child of the highest bound, for the taker or against it. */
static int best_bound(int parent, Cards can, int taker, double exploration)
{
    double most = -HUGE_VAL;
    int best = 0;
    for (int i = nodes[parent].child; i; i = nodes[i].sibling) {
        const Node *node = &nodes[i];
        double mean, bound;
        if (!(can >> node->card & 1))
            continue;
        mean = node->gain / node->visits;
        bound = (taker ? mean : -mean) + exploration * sqrt(log(node->available) / node->visits);
        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

static int any_of(Cards cards)
{
    for (int skip = (int)(chance() * size(cards)); skip; skip--)
        cards &= cards - 1;
    return lowest(cards);
}

/* Play down the tree to a card that was never tried; give how many nodes are on the way. */
static int walk(Position *p, double exploration, int path[])
{
    int node = 0, length = 0, is_new = 0;
    path[length++] = 0;
    while (p->finished < TRICKS && !is_new && used < MOST_NODES) {
        Cards can = legal(p), untried = can;
        for (int i = nodes[node].child; i; i = nodes[i].sibling) {
            untried &= ~CARD(nodes[i].card);
            nodes[i].available += can >> nodes[i].card & 1;
        }
        is_new = untried != 0;
        if (is_new) {
            node = add_child(node, any_of(untried));
            nodes[node].available = 1;
        } else {
            node = best_bound(node, can, to_act(p) == p->taker, exploration);
        }
        play(p, nodes[node].card);
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

/* Say whether the time is up, or too little is left for another card to come out first. */
static int is_decided(const Timer *timer, int games)
{
    double share = share_used(timer);
    int lead;
    most_tried(&lead);
    return share >= 1 || lead * share > games * (1 - share);
}

int choose_card(const Question *q, double seconds, int most_games)
{
    Timer timer = begin_timer(seconds);
    Stakes stakes = stakes_of(q);
    Position table = table_of(q);
    double exploration = MULTIPLIERS[q->contract]
        * (q->seat == q->taker ? TAKERS_EXPLORATION : DEFENDERS_EXPLORATION);
    const Pool *pool;
    int path[SEATS * TRICKS + 1], unused;
    if (size(q->legal) == 1)
        return lowest(q->legal);
    pool = deal_pool(q, most_games < DEALS ? most_games : DEALS);
    nodes[0] = (Node){0};
    used = 1;
    for (int games = 0; games < most_games; games++) {
        Position p;
        int length, gain;
        if (games && games % BETWEEN_LOOKS == 0 && is_decided(&timer, games))
            break;
        p = dealt(&table, q, draw(pool));
        length = walk(&p, exploration, path);
        play_out(&p);
        gain = price(&p, &stakes);
        for (int i = 0; i < length; i++) {
            nodes[path[i]].visits++;
            nodes[path[i]].gain += gain;
        }
    }
    return nodes[most_tried(&unused)].card;
}
