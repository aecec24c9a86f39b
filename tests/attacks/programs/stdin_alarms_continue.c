// tries: to think between its turns in the handler of a signal that a timer sends
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#include "between_turns.h"
static void wake(int number) { kill(getpid(), SIGCONT); }
int main(void) {
  struct itimerval often = {{0, 1000}, {0, 1000}};
  struct sigaction action = {.sa_handler = wake, .sa_flags = SA_RESTART | SA_NODEFER};
  sigaction(SIGALRM, &action, 0);
  sigaction(SIGVTALRM, &action, 0);
  sigaction(SIGPROF, &action, 0);
  setitimer(ITIMER_REAL, &often, 0);
  setitimer(ITIMER_VIRTUAL, &often, 0);
  setitimer(ITIMER_PROF, &often, 0);
  return think_between_turns();
}
