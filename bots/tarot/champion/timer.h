/* How much of the time for an answer is used up. */

#ifndef TIMER_H
#define TIMER_H

typedef struct {
    double seconds, computed, wall;
} Timer;

/* Begin to count: this number of seconds of this process's time, and twice as many by the clock on
   the wall: a crowded machine gives a process a part of its time. */
Timer begin_timer(double seconds);

/* The share that is used up: 1 or more when time is up. */
double share_used(const Timer *timer);

#endif
