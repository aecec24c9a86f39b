/* Chooses a card: the mean score over deals of the unseen cards, each solved on open hands. */

#ifndef PLAYER_H
#define PLAYER_H

#include "chance.h"
#include "question.h"

/* The card to play, by name. */
int choose_card(const Question *question, Chance *chance);

#endif
