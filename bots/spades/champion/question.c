#include "question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME, PHASE, LEGAL, SEAT, DEALER, HAND, BIDS, HISTORY, TRICK, TOOK, SCORES, BAGS, GOAL, LOSE,
       WORDS };

static const char RANKS[] = "23456789TJQKA", SUITS[] = "CDHS";

void write_card(int card, char text[3])
{
    text[0] = RANKS[rank_of(card)];
    text[1] = SUITS[suit_of(card)];
    text[2] = 0;
}

static int read_card(const char *text)
{
    return (int)(strchr(SUITS, text[1]) - SUITS) * 13 + (int)(strchr(RANKS, text[0]) - RANKS);
}

/* Read `AS,7H`; `-` is none. */
static Cards read_cards(const char *text)
{
    Cards set = 0;
    for (; *text && *text != '-'; text += text[2] ? 3 : 2)
        set |= only(read_card(text));
    return set;
}

static void read_numbers(const char *text, int *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        numbers[i] = (int)strtol(text, (char **)&text, 10);
        text++;
    }
}

/* Read a number of each side, the own one first. */
static void read_sides(const char *text, int seat, int sides[2])
{
    int numbers[2];
    read_numbers(text, numbers, 2);
    sides[0] = numbers[seat & 1];
    sides[1] = numbers[!(seat & 1)];
}

static void read_bids(const char *text, Round *r)
{
    for (int seat = 0; seat < 4; seat++) {
        r->blind[seat] = *text == 'B';
        r->bids[seat] = *text == '-' ? NO_BID : *text == 'B' ? NIL : atoi(text);
        text = strchr(text, ',') ? strchr(text, ',') + 1 : "";
    }
}

/* Play what has been played, `2:7C,AC,2C,5C/3:KD`, from hands that hold nothing else. */
static void replay(Question *q, const char *text)
{
    Round *r = &q->round;
    Played *played = &q->played;
    while (*text && *text != '-') {
        r->turn = *text - '0';
        for (text++; *text == ':' || *text == ','; text += 3) {
            int card = read_card(text + 1);
            if (!played->count)
                played->first = r->turn;
            played->card[played->count++] = card;
            played->by[r->turn] |= only(card);
            play_card(r, card);
        }
        text += *text == '/';
    }
}

/* The answers depend on nothing else (FNV-1a). */
static uint64_t seed_of(int count, char *words[])
{
    uint64_t seed = 14695981039346656037ULL;
    for (int i = 0; i < count; i++)
        for (const char *at = words[i]; *at; at++)
            seed = (seed ^ (unsigned char)*at) * 1099511628211ULL;
    return seed;
}

int read_question(Question *q, int count, char *words[])
{
    *q = (Question){0};
    if (count < WORDS || strcmp(words[GAME], "spades"))
        return 0;
    const char *phase = words[PHASE];
    q->phase = !strcmp(phase, "blind") ? BLIND : !strcmp(phase, "bid") ? BID
             : !strcmp(phase, "pass") ? PASS : PLAY;
    if (q->phase == BID)
        sscanf(words[LEGAL], "%d..%d", &q->low, &q->high);
    else if (q->phase != BLIND)
        q->legal = read_cards(words[LEGAL]);
    int seat = atoi(words[SEAT]);
    q->dealer = atoi(words[DEALER]);
    read_bids(words[BIDS], &q->round);
    replay(q, words[HISTORY]);
    replay(q, words[TRICK]);
    read_numbers(words[TOOK], q->round.took, 4);
    q->round.turn = seat;
    q->round.hands[seat] = read_cards(words[HAND]);
    read_sides(words[SCORES], seat, q->standing.scores);
    read_sides(words[BAGS], seat, q->standing.bags);
    q->standing.goal = atoi(words[GOAL]);
    q->standing.lose = strcmp(words[LOSE], "-") ? atoi(words[LOSE]) : NO_LIMIT;
    q->seed = seed_of(count, words);
    return 1;
}
