// tries: to think between its turns, continued by the ends of children that the kernel's timers kill
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "between_turns.h"
int main(void) {
  for (int i = 0; i < 20; i++)
    if (syscall(SYS_clone, SIGCONT, 0, 0, 0, 0) == 0) {
      struct sigevent death = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
      struct itimerspec later = {{0, 0}, {0, 20000000 * (i + 1)}};
      timer_t timer;
      prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
      if (timer_create(CLOCK_MONOTONIC, &death, &timer) == 0) timer_settime(timer, 0, &later, 0);
      for (;;) pause();
    }
  return think_between_turns();
}
