/* Chooses a call: every contract's mean score over deals of the unseen cards. */

#ifndef BIDDER_H
#define BIDDER_H

#include "chance.h"
#include "question.h"

/* Print the call. */
void say_call(const Question *question, Chance *chance);

#endif
