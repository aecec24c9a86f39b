#include "tree.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NODES = 1 << 20, LONGEST = 256, BETWEEN_LOOKS = 64, WORDS = MOST_ACTIONS / 64 };

/* An action taken after those above it: how often, the sum of the values for the seat that took it,
 * and how often it could have been taken. 0, the root, is nobody's child or sibling. */
typedef struct {
    int action, child, sibling, visits, available;
    double sum;
} Node;

static Node *nodes;
static int used;

static int add_child(int parent, int action)
{
    nodes[used] = (Node){.action = action, .sibling = nodes[parent].child, .available = 1};
    nodes[parent].child = used;
    return used++;
}

/* Whether a set of actions has this one. */
static int has(const uint64_t *set, int action) { return set[action / 64] >> action % 64 & 1; }

/* The child of the highest bound. */
static int best_bound(int parent, const uint64_t *can, double exploration)
{
    double most = -HUGE_VAL;
    int best = 0;
    for (int i = nodes[parent].child; i; i = nodes[i].sibling) {
        const Node *node = &nodes[i];
        if (!has(can, node->action))
            continue;
        double bound = node->sum / node->visits
            + exploration * sqrt(log(node->available) / node->visits);
        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

/* The child that was tried least often. */
static int least_tried(int parent)
{
    int least = nodes[parent].child;
    for (int i = least; i; i = nodes[i].sibling)
        if (nodes[i].visits < nodes[least].visits)
            least = i;
    return least;
}

/* The node to walk to: one that was never tried, if there is one. `is_even` takes those that were
 * tried least. */
static int choose_child(const Tree *tree, int node, const uint16_t *actions, int listed,
                        int is_even, uint64_t *random, int *is_new)
{
    uint64_t can[WORDS] = {0}, tried[WORDS] = {0};
    uint16_t untried[MOST_ACTIONS];
    int left = 0;
    for (int i = 0; i < listed; i++)
        can[actions[i] / 64] |= bit(actions[i] % 64);
    for (int i = nodes[node].child; i; i = nodes[i].sibling) {
        nodes[i].available += has(can, nodes[i].action);
        tried[nodes[i].action / 64] |= bit(nodes[i].action % 64);
    }
    for (int i = 0; i < listed; i++)
        if (!has(tried, actions[i]))
            untried[left++] = actions[i];
    *is_new = left > 0;
    if (left)
        return add_child(node, untried[below(random, left)]);
    return is_even ? least_tried(node) : best_bound(node, can, tree->exploration);
}

/* The actions that are tried at the root. */
static int list_root(const Tree *tree, const void *root, uint16_t *actions)
{
    if (!tree->tried)
        return tree->list(root, actions);
    memcpy(actions, tree->tried, (size_t)tree->count * sizeof *actions);
    return tree->count;
}

/* Plays down the tree to an action that was never tried; returns how many nodes are on the way, of
 * each the side that acted. `is_even` tries the actions of the root equally often. */
static int walk(const Tree *tree, void *position, uint64_t *random, int is_even, int *path,
                int *sides)
{
    uint16_t actions[MOST_ACTIONS];
    int node = 0, length = 0, is_new = 0, listed = list_root(tree, position, actions);
    while (listed && used < MOST_NODES && length < LONGEST) {
        int action = actions[0];
        if (listed > 1 || !length || !tree->skips_forced) {
            node = choose_child(tree, node, actions, listed, is_even && !node, random, &is_new);
            sides[length] = tree->side(position);
            path[length++] = node;
            action = nodes[node].action;
        }
        tree->apply(position, action);
        if (is_new)
            break;
        listed = tree->list(position, actions);
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

/* Begins with a root that nothing was tried from. Returns 0 without memory. */
static int begin(void)
{
    if (!nodes)
        nodes = malloc(MOST_NODES * sizeof *nodes);
    if (!nodes)
        return 0;
    nodes[0] = (Node){0};
    used = 1;
    return 1;
}

/* Plays a game on another deal and counts it along its way. */
static void play_game(const Tree *tree, const void *root, void *deals, uint64_t *random,
                      int is_even)
{
    uint64_t position[MOST_STATE / 8];
    int path[LONGEST], sides[LONGEST];
    double values[MOST_SEATS];
    memcpy(position, root, tree->size);
    tree->deal(position, deals);
    int length = walk(tree, position, random, is_even, path, sides);
    tree->play_out(position, values);
    for (int i = 0; i < length; i++) {
        nodes[path[i]].visits++;
        nodes[path[i]].sum += values[sides[i]];
    }
}

int best_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random)
{
    uint16_t actions[MOST_ACTIONS];
    int lead = 0, best = 0;
    if (!begin())
        return list_root(tree, root, actions) ? actions[0] : -1;
    for (int left = games; left--;) {
        play_game(tree, root, deals, random, 0);
        if (left % BETWEEN_LOOKS)
            continue;
        best = most_tried(&lead);
        if (lead > left)
            break;
    }
    return nodes[best].action;
}

int values_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random,
                   uint16_t *actions, double *values)
{
    int listed = list_root(tree, root, actions);
    if (!begin())
        return 0;
    for (int played = 0; played < games || played < listed; played++)
        play_game(tree, root, deals, random, 1);
    for (int i = nodes[0].child; i; i = nodes[i].sibling)
        for (int at = 0; at < listed; at++)
            if (actions[at] == nodes[i].action)
                values[at] = nodes[i].sum / nodes[i].visits;
    return listed;
}
