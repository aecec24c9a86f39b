// tries: to think between its turns, continued by the kernel's own timers
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#include <signal.h>
#include <unistd.h>
#include "between_turns.h"
int main(void) {
  clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
  for (int i = 0; i < 3; i++) {
    struct sigevent wake = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec often = {{0, 500000}, {0, 500000}};
    timer_t timer;
    if (timer_create(clocks[i], &wake, &timer) == 0) timer_settime(timer, 0, &often, 0);
  }
  return think_between_turns();
}
