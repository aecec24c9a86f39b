#include "position.h"

void shuffle(uint8_t pack[CARDS], uint64_t *random)
{
    for (int i = 0; i < CARDS; i++) {
        int j = below(random, i + 1);
        pack[i] = pack[j];
        pack[j] = (uint8_t)i;
    }
}

/* What the other seats know of this one after such a card. */
void play(Round *round, int card)
{
    State *s = &round->state;
    int seat = s->table.to_act;
    if (s->laid ? suit_of(card) != suit_of(led(s)) : is_spade(card) && !s->broken)
        round->lacks[seat] |= s->laid ? suit_of(led(s)) : ALL_CARDS ^ ALL_SPADES;
    spades.apply(s, card);
}

int read_position(Position *p, const Question *q)
{
    *p = (Position){.random = q->random};
    State now = {0}, *first = &p->first.state;
    if (!spades.read(&now, q->count, q->words))
        return 0;
    p->seat = now.table.to_act;
    for (int seat = 0; seat < 4; seat++) /* open hands are not looked at */
        now.hands[seat] &= seat == p->seat ? ALL_CARDS : 0;
    p->unseen = ALL_CARDS ^ now.hands[p->seat];
    *first = now;
    memset(first->hands, 0, sizeof first->hands);
    memset(first->took, 0, sizeof first->took);
    first->played = first->laid = first->broken = 0;
    first->phase = PLAY;
    first->table.to_act = now.by[0];
    p->round = p->first;
    for (int place = 0; place < now.played; place++) {
        p->played[now.by[place]] |= bit(now.order[place]);
        p->unseen ^= bit(now.order[place]);
        play(&p->round, now.order[place]);
    }
    p->round.state = now;
    return 1;
}

/* What may lie between two cards. */
static Cards dividing(const State *s, Cards unseen)
{
    return s->laid ? unseen | bit(s->best) : unseen;
}

int are_equal(const State *s, int a, int b, Cards unseen)
{
    Cards between = a < b ? higher(a) & ~higher(b) : higher(b) & ~higher(a);
    return suit_of(a) == suit_of(b) && !(between & dividing(s, unseen));
}

int distinct(const State *s, Cards unseen, uint16_t *cards)
{
    Cards legal = playable(s), all = legal | dividing(s, unseen);
    int listed = 0;
    for (Cards left = legal; left;) {
        int card = take_lowest(&left);
        Cards lower = all & suit_of(card) & (bit(card) - 1);
        if (!lower || !(legal >> highest(lower) & 1))
            cards[listed++] = (uint16_t)card;
    }
    return listed;
}

int missing(const State *s, int seat)
{
    int short_of = 0;
    for (int i = 0; i < 2; i++, seat = partner_of(seat))
        if (s->bids[seat])
            short_of += s->bids[seat] - s->took[seat];
    return short_of > 0 ? short_of : 0;
}
