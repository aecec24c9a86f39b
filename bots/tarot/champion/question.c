#include "question.h"

#include <stdlib.h>
#include <string.h>

static const char *const BIDS[] = {
    "pass", "petite", "garde", "sans", "contre", NULL, NULL, NULL,
    "pass!", "petite!", "garde!", "sans!", "contre!",
};

enum { BID_NAMES = sizeof BIDS / sizeof *BIDS };

const char *bid_name(int bid)
{
    return BIDS[bid];
}

/* Read one of the bids that are joined by commas, and go behind it. */
static int read_bid(const char **text)
{
    size_t length = strcspn(*text, ",");
    int bid = NOT_YET;
    for (int i = 0; i < BID_NAMES; i++)
        if (BIDS[i] && strlen(BIDS[i]) == length && !strncmp(BIDS[i], *text, length))
            bid = i;
    *text += length + ((*text)[length] == ',');
    return bid;
}

/* Read a list such as `0:KC,3C/1:9S`: a call of `found` for each entry. */
static void read_by_seat(const char *text, Question *q,
                         void (*found)(Question *, int seat, const char *cards))
{
    while (*text && *text != '-') {
        found(q, *text - '0', text + 2);
        text += strcspn(text, "/");
        text += *text == '/';
    }
}

static void found_trick(Question *q, int seat, const char *cards)
{
    Trick *trick = &q->tricks[q->tricks_begun++];
    trick->leader = seat;
    do
        trick->cards[trick->count++] = read_card(&cards);
    while (*cards++ == ',');
}

/* Tables differ in the sizes; where ten trumps are one, what thirteen are worth is a guess. */
static void found_poignee(Question *q, int seat, const char *cards)
{
    q->shown[seat] = read_cards(cards);
    q->poignees += poignee_worth(size(q->shown[seat]));
}

Question read_question(char *words[])
{
    Question q = {.phase = words[1][0]};
    const char *text = words[2];
    if (q.phase == 'b')
        while (*text)
            q.legal_bids |= 1u << read_bid(&text);
    else
        q.legal = read_cards(text);
    q.seat = atoi(words[3]);
    q.first = (atoi(words[4]) + 1) % SEATS;
    q.hand = read_cards(words[5]);
    text = words[6];
    for (int seat = 0; seat < SEATS; seat++) {
        q.bids[seat] = read_bid(&text);
        q.defence_chelem |= q.bids[seat] == (PASS | ANNOUNCED);
    }
    q.taker = words[7][0] == '-' ? -1 : atoi(words[7]);
    text = words[8];
    if (q.taker >= 0) {
        int bid = read_bid(&text);
        q.contract = bid % ANNOUNCED;
        q.chelem = bid >= ANNOUNCED;
    }
    q.dog = read_cards(words[9]);
    q.discard = read_cards(words[10]);
    read_by_seat(words[11], &q, found_poignee);
    read_by_seat(words[12], &q, found_trick);
    read_by_seat(words[13], &q, found_trick);
    return q;
}

Cards with_played(const Question *q, int seat, Cards holds)
{
    for (int i = 0; i < q->tricks_begun; i++) {
        const Trick *trick = &q->tricks[i];
        for (int place = 0; place < trick->count; place++)
            if ((trick->leader + place) % SEATS == seat)
                holds |= CARD(trick->cards[place]);
    }
    return holds;
}

Position table_of(const Question *q)
{
    Position p = new_position(q->taker, q->tricks_begun ? q->tricks[0].leader : q->seat);
    for (int i = 0; i < q->tricks_begun; i++)
        for (int place = 0; place < q->tricks[i].count; place++)
            play(&p, q->tricks[i].cards[place]);
    return p;
}

Stakes stakes_of(const Question *q)
{
    return (Stakes){q->contract, q->poignees, q->chelem, q->defence_chelem};
}
