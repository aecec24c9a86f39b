#include "timer.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

Timer begin_timer(double seconds)
{
    return (Timer){seconds, seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC)};
}

double share_used(const Timer *timer)
{
    double computed = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - timer->computed;
    double wall = (seconds_of(CLOCK_MONOTONIC) - timer->wall) / 2;
    return (computed > wall ? computed : wall) / timer->seconds;
}
