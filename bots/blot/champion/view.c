#include "view.h"

const char SUITS[] = "CDHSN";

/* Calls go round from the dealer's next; after a contra only the bidding side is asked. */
static void read_calls(View *view, int seat, char *text)
{
    int step = 1;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        int level = (int)strtol(word, &word, 10);
        int strain = level ? (int)(strchr(SUITS, *word) - SUITS)
            : *word == 'P' ? PASSED : strcmp(word, "X") ? REDOUBLED : DOUBLED;
        if (*word != '-' && view->call_count < MOST_CALLS)
            view->calls[view->call_count++] = (Call){seat, level, strain};
        seat = (seat + step) & 3;
        if (strain == DOUBLED)
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

/* Plays the cards of the deal again, and bars those that a seat can't hold after each of them. */
static void replay(View *view, const State *now, Cards barred[4])
{
    State *s = &view->state;
    for (int place = 0; place < now->played; place++) {
        int card = now->order[place], seat = s->table.to_act;
        barred[seat] |= excluded_by(s, card);
        view->played[seat] |= bit(card);
        blot.apply(s, card);
    }
}

/* The options that no word tells are the default ones. If no deal agrees with the play, they are
 * those by which the most can be played. */
int read_view(View *view, const Question *question)
{
    State now = {0}, begin;
    Cards shown[4] = {0}, barred[4];
    if (!blot.read(&now, question->count, question->words))
        return 0;
    int self = now.table.to_act;
    *view = (View){.solver = view->solver, .random = question->random, .legal = question->words[2],
                   .evaluates = question->evaluates,
                   .is_bidding = now.phase == BID, .seat = self, .hand = now.hands[self]};
    for (int seat = 0; seat < 4; seat++) {
        for (int i = 0; i < now.declared[seat].count; i++) {
            const Declaration *one = &now.declared[seat].of[i];
            show(shown, seat, one->cards);
            if (one->class != BELOTE)
                view->said[seat][one->class]++;
        }
        show(shown, seat, now.hands[seat]); /* those that lie open */
    }
    begin = now;
    begin.phase = PLAY;
    begin.table.to_act = now.played ? now.by[0] : first_seat(&now);
    begin.played = begin.laid = 0;
    begin.worth = begin.points[0] = begin.points[1] = begin.tricks[0] = begin.tricks[1] = 0;
    read_calls(view, first_seat(&now), question->words[6]);
    for (int loose = 0; loose <= 1 && !view->ways; loose++) {
        ((Options *)begin.table.options)->free_undertrump = loose;
        view->state = begin;
        memset(view->played, 0, sizeof view->played);
        memcpy(barred, shown, sizeof barred);
        replay(view, &now, barred);
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
