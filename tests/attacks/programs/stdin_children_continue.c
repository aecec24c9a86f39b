// tries: to think between its turns, continued by the ends of its children
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "between_turns.h"
int main(void) {
  for (int i = 0; i < 30; i++)
    if (syscall(SYS_clone, SIGCONT, 0, 0, 0, 0) == 0) {
      struct timespec later = {0, 20000000 * i};
      nanosleep(&later, 0);
      _exit(0);
    }
  return think_between_turns();
}
