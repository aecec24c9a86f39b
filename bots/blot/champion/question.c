#include "question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 14 };

static bool nothing(const char *word) { return !strcmp(word, "-"); }

static Cards read_cards(const char *text)
{
    Cards cards = 0;
    for (; !nothing(text) && *text; text += strcspn(text, ",/"), text += *text == ',') {
        const int card = read_card(text);
        if (card < 0)
            break;
        cards |= bit(card);
    }
    return cards;
}

/* A bid such as "25Hc"; gives back what follows it. */
static const char *read_bid(const char *text, int *level, int *strain)
{
    char *end;
    *level = (int)strtol(text, &end, 10);
    *strain = read_strain(*end);
    return *end ? end + 1 : end;
}

/* Calls go round from the dealer's next; after a contra only the bidding side is asked. */
static void read_calls(Question *question, char *text)
{
    int seat = (question->dealer + 1) & 3, step = 1;
    char *word = strtok(text, ",");
    for (; word && question->call_count < MOST_CALLS; word = strtok(NULL, ",")) {
        Call *call = &question->calls[question->call_count++];
        call->seat = seat;
        call->kind = word[0] == 'P' ? PASS
            : !strcmp(word, "X") ? CONTRA
            : word[0] == 'X' ? RECONTRA
            : BID;
        if (call->kind == BID)
            read_bid(word, &call->level, &call->strain);
        if (call->kind == CONTRA)
            step = 2;
        seat = (seat + (call->kind == CONTRA ? 1 : step)) & 3;
    }
}

static Contract read_contract(const char *text)
{
    Contract contract = {.level = 0};
    text = read_bid(text, &contract.level, &contract.strain);
    for (; *text && *text != '@'; text++) {
        contract.capot = contract.capot || *text == 'c';
        contract.doubled += *text == 'x';
    }
    contract.seat = *text ? text[1] - '0' : 0;
    return contract;
}

/* "2:B:KS,QS/3:T": a belote says who had its cards, and the others of what class they are. */
static void read_declarations(Question *question, char *text)
{
    for (char *word = strtok(text, "/"); word && !nothing(word); word = strtok(NULL, "/")) {
        const int seat = (word[0] - '0') & 3;
        const char *class = strchr("TFH4", word[2]);
        if (class)
            question->said[seat][class - "TFH4"]++;
        if (word[3] == ':')
            question->shown[seat] |= read_cards(word + 4);
    }
}

static Played read_trick(const char *text)
{
    Played trick = {.leader = (text[0] - '0') & 3};
    for (text += 2; trick.count < 4 && read_card(text) >= 0; text += text[2] == ',' ? 3 : 2)
        trick.cards[trick.count++] = read_card(text);
    return trick;
}

bool read_question(Question *question, int count, char *words[])
{
    if (count < WORDS || strcmp(words[0], "blot"))
        return false;
    *question = (Question){
        .bidding = !strcmp(words[1], "bid"),
        .legal = words[2],
        .seat = atoi(words[3]) & 3,
        .dealer = atoi(words[4]) & 3,
        .hand = read_cards(words[5]),
        .bid = !nothing(words[7]),
        .open = count > WORDS,
    };
    if (!nothing(words[6]))
        read_calls(question, words[6]);
    if (question->bid)
        question->contract = read_contract(words[7]);
    read_declarations(question, words[8]);
    if (!nothing(words[9]))
        for (char *text = words[9]; text && question->finished < 8; text = strchr(text, '/')) {
            text += *text == '/';
            question->tricks[question->finished++] = read_trick(text);
        }
    question->tricks[question->finished] =
        nothing(words[10]) ? (Played){.leader = question->seat} : read_trick(words[10]);
    sscanf(words[11], "%d,%d", &question->points[0], &question->points[1]);
    const char *text = question->open ? words[WORDS] : NULL;
    for (int seat = 0; text && seat < 4; seat++, text = strchr(text, '/')) {
        text += *text == '/';
        question->hands[seat] = read_cards(text);
    }
    return true;
}

Cards legal_cards(const Question *question)
{
    Cards cards = 0;
    for (const char *text = question->legal; text; text = strchr(text, ',')) {
        text += *text == ',';
        cards |= bit(read_card(text));
    }
    return cards;
}

void say_card(const Question *question, int card)
{
    const char *longest = NULL;
    size_t most = 0;
    for (const char *text = question->legal; text; text = strchr(text, ',')) {
        text += *text == ',';
        if (read_card(text) == card && strcspn(text, ",") > most) {
            longest = text;
            most = strcspn(text, ",");
        }
    }
    printf("%.*s\n", (int)most, longest);
}

Choice legal_calls(const Question *question)
{
    Choice choice = {.contra = false};
    for (const char *text = question->legal; text; text = strchr(text, ',')) {
        text += *text == ',';
        if (!strncmp(text, "XX", 2))
            choice.recontra = true;
        else if (*text == 'X')
            choice.contra = true;
        else if (*text != 'P') {
            char *end;
            choice.lowest = (int)strtol(text, &end, 10);
            choice.capot_only = *end == 'c';
        }
    }
    return choice;
}
