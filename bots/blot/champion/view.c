#include "view.h"

#include <stdlib.h>

enum { WORDS = 14, LOWEST_CAPOT = 25 };

const char SUITS[] = "CDHSN";

static const char RANKS[] = "789TJQKA", CLASSES[] = "TFH4";

static int is_none(const char *word) { return !strcmp(word, "-"); }

int read_card(const char *text)
{
    const char *rank = text[0] ? strchr(RANKS, text[0]) : NULL;
    const char *suit = rank && text[1] ? memchr(SUITS, text[1], 4) : NULL;
    return suit ? (int)(8 * (suit - SUITS) + rank - RANKS) : -1;
}

Cards read_cards(const char *text)
{
    Cards cards = 0;
    for (int card; (card = read_card(text)) >= 0; text += *text == ',') {
        cards |= bit(card);
        text += strcspn(text, ",/");
    }
    return cards;
}

/* The number of a strain's letter. */
static int read_strain(char letter)
{
    const char *found = letter ? strchr(SUITS, letter) : NULL;
    return found ? (int)(found - SUITS) : 0;
}

/* A contract such as "25Hcx@1". */
static void read_contract(State *s, char *text)
{
    s->level = (int8_t)strtol(text, &text, 10);
    s->strain = (int8_t)read_strain(*text);
    s->capot = strchr(text, 'c') != NULL;
    s->doubled = (int8_t)(strstr(text, "xx") ? 2 : strchr(text, 'x') ? 1 : 0);
    s->bidder = (int8_t)(strchr(text, '@') ? strchr(text, '@')[1] - '0' & 3 : 0);
}

/* Calls go round from the dealer's next; after a contra only the bidding side is asked. Later
 * passes of a seat say little that is new. */
static void read_calls(View *view, char *text)
{
    int seat = first_seat(&view->state), step = 1, spoke = 1 << view->seat, lowest = LOWEST_LEVEL;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        int level = (int)strtol(word, &word, 10);
        Call call = {seat, level, level ? read_strain(*word) : -1, lowest};
        if (seat != view->seat && (level || (*word == 'P' && !(spoke >> seat & 1)))
            && view->call_count < LEVELS + 4)
            view->calls[view->call_count++] = call;
        if (level)
            lowest = level + 1;
        spoke |= 1 << seat;
        seat = (seat + step) & 3;
        if (!strcmp(word, "X"))
            step = 2;
    }
}

/* These cards were dealt to a seat, so the others can't hold them. */
static void show(Cards barred[4], int seat, Cards cards)
{
    for (int other = 0; other < 4; other++)
        if (other != seat)
            barred[other] |= cards;
}

/* "2:B:KS,QS/3:T": a belote says who had its cards, and the others of what class they are. */
static void read_declarations(View *view, char *text, Cards barred[4])
{
    for (char *word = strtok(text, "/"); word && !is_none(word); word = strtok(NULL, "/")) {
        int seat = word[0] - '0' & 3;
        const char *class = strchr(CLASSES, word[2]);
        if (class)
            view->said[seat][class - CLASSES]++;
        if (word[3] == ':')
            show(barred, seat, read_cards(word + 4));
    }
}

/* Plays the cards of a text such as "2:KS,JS,TH,AS/3:9S", and bars those that a seat then can't
 * hold. */
static void replay(View *view, const char *text, Cards barred[4])
{
    State *s = &view->state;
    for (; *text; text++) {
        int seat = s->table.to_act, card = read_card(text);
        if (card < 0 || s->played == CARDS - 1)
            continue;
        barred[seat] |= excluded_by(s, card);
        view->played[seat] |= bit(card);
        blot.apply(s, card);
        text++;
    }
}

/* Finds out where each unseen card may lie: the places are the other seats in turn. */
static void look(View *view, const Cards barred[4])
{
    Unseen *unseen = &view->unseen;
    Cards hidden = 0xFFFFFFFF & ~view->hand;
    for (int seat = 0; seat < 4; seat++)
        hidden &= ~view->played[seat];
    for (unseen->cards = 0; hidden; unseen->cards++) {
        int card = take_lowest(&hidden), may = 0;
        for (int place = 0; place < 3; place++)
            may |= !(barred[(view->seat + 1 + place) & 3] & bit(card)) << place;
        unseen->card[unseen->cards] = (uint8_t)card;
        unseen->may[unseen->cards] = (uint8_t)may;
    }
    for (int place = 0; place < 3; place++)
        unseen->room[place] = TRICKS - count(view->played[(view->seat + 1 + place) & 3]);
    view->ways = count_ways(unseen);
}

/* The options that no word tells are the default ones. If no deal agrees with the play, they are
 * those by which the most can be played. */
int read_view(View *view, const Question *question)
{
    char **words = question->words;
    Cards shown[4] = {0}, barred[4];
    if (question->count < WORDS || strcmp(words[0], "blot"))
        return 0;
    *view = (View){.solver = view->solver, .random = question->random, .legal = words[2],
                   .is_bidding = !strcmp(words[1], "bid"), .seat = words[3][0] - '0' & 3,
                   .hand = read_cards(words[5]), .state = {.dealer = words[4][0] - '0' & 3}};
    State *s = &view->state;
    Options *options = (Options *)s->table.options;
    *options = (Options){.capot_level = LOWEST_CAPOT, .declarations_help = 1};
    s->phase = PLAY;
    s->table.to_act = first_seat(s);
    if (!is_none(words[7]))
        read_contract(s, words[7]);
    if (!is_none(words[6]))
        read_calls(view, words[6]);
    read_declarations(view, words[8], shown);
    if (question->count > WORDS) /* open hands */
        for (int seat = 0; seat < 4; seat++) {
            show(shown, seat, read_cards(words[WORDS]));
            words[WORDS] += strcspn(words[WORDS], "/");
            words[WORDS] += *words[WORDS] == '/';
        }
    const State begin = *s;
    for (int loose = 0; loose <= 1 && !view->ways; loose++) {
        *s = begin;
        options->free_undertrump = loose;
        memset(view->played, 0, sizeof view->played);
        memcpy(barred, shown, sizeof barred);
        replay(view, words[9], barred);
        replay(view, words[10], barred);
        look(view, barred);
    }
    return view->ways > 0;
}

Position set_deal(View *view, const Cards dealt[4])
{
    State *s = &view->state;
    for (int seat = 0; seat < 4; seat++) {
        s->hands[seat] = dealt[seat] & ~view->played[seat];
        s->declared[seat] = declarations_of(s, dealt[seat], LARGEST);
    }
    Position position = position_of(s);
    position.rough = 1;
    return position;
}
