#include "position.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAME, ASKED, LEGAL, SEAT, BY, HAND, CALLS, HISTORY, TRICK, TAKEN, SCORES, BAGS_HELD, GOAL,
       LOSE, WORDS };

static const char RANKS[] = "23456789TJQKA", SUITS[] = "CDHS";

void print_card(int card) { printf("%c%c\n", RANKS[rank_of(card)], SUITS[card / 13]); }

static int read_card(const char *text)
{
    return (int)(strchr(SUITS, text[1]) - SUITS) * 13 + (int)(strchr(RANKS, text[0]) - RANKS);
}

/* `AS,7H`; `-` is none. */
static Cards read_cards(const char *text)
{
    Cards set = 0;
    for (; *text && *text != '-'; text += text[2] ? 3 : 2)
        set |= bit(read_card(text));
    return set;
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

/* `2:7C,AC,2C,5C/3:KD`: the seat that led, and the cards. */
static void replay(Position *p, const char *text)
{
    while (*text && *text != '-') {
        p->round.state.table.to_act = *text - '0';
        for (text++; *text == ':' || *text == ','; text += 3) {
            int card = read_card(text + 1), seat = p->round.state.table.to_act;
            if (!p->round.state.played)
                p->first.state.table.to_act = seat;
            p->played[seat] |= bit(card);
            play(&p->round, card);
        }
        text += *text == '/';
    }
}

static void read_bids(State *s, const char *text)
{
    for (int seat = 0; text && seat < 4; seat++) {
        s->bids[seat] = (int8_t)(*text == '-' ? NOT_YET : *text == 'B' ? NIL : atoi(text));
        s->blind |= (int8_t)((*text == 'B') << seat);
        text = strchr(text, ',');
        text += text != NULL;
    }
}

int read_position(Position *p, const Question *q)
{
    char **words = q->words;
    if (q->count < WORDS || strcmp(words[GAME], "spades"))
        return 0;
    *p = (Position){.seat = atoi(words[SEAT]), .random = q->random};
    State *s = &p->first.state;
    Options options = {
        .goal = atoi(words[GOAL]), .lose = atoi(words[LOSE]), .bag_penalty = 110, .double_nil = 1};
    memcpy(s->table.options, &options, sizeof options);
    s->table.seats = 4;
    s->round = 1;           /* and no limit of rounds is told */
    s->dealer = atoi(words[BY]);
    sscanf(words[SCORES], "%d,%d", &s->scores[0], &s->scores[1]);
    sscanf(words[BAGS_HELD], "%d,%d", &s->bags[0], &s->bags[1]);
    read_bids(s, words[CALLS]);
    s->phase = PLAY;
    p->round = p->first;
    replay(p, words[HISTORY]);
    replay(p, words[TRICK]);
    s = &p->round.state;
    s->table.to_act = p->seat;
    s->hands[p->seat] = read_cards(words[HAND]);
    if (!strcmp(words[ASKED], "bid")) {
        s->phase = BID;
        sscanf(words[LEGAL], "%d..%d", &p->low, &p->high);
    } else if (!strcmp(words[ASKED], "blind")) {
        s->phase = BLIND;
    } else {
        s->phase = *words[ASKED] == 'p' && words[ASKED][1] == 'a' ? PASS : PLAY;
        p->legal = read_cards(words[LEGAL]);
    }
    return 1;
}

int are_equal(const State *s, int a, int b, Cards unseen)
{
    Cards between = a < b ? higher(a) & ~higher(b) : higher(b) & ~higher(a);
    if (s->laid)
        unseen |= bit(s->best);
    return suit_of(a) == suit_of(b) && !(between & unseen);
}

int missing(const State *s, int seat)
{
    int short_of = 0;
    for (int i = 0; i < 2; i++, seat = partner_of(seat))
        if (s->bids[seat])
            short_of += s->bids[seat] - s->took[seat];
    return short_of > 0 ? short_of : 0;
}
