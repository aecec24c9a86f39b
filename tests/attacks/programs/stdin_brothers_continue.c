// tries: to think between its turns in a brother of its own, who is the pilot's child as it is
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "between_turns.h"
int main(void) {
  int me = getpid();
  for (int i = 0; i < 3; i++)
    if (syscall(SYS_clone, CLONE_PARENT | (i ? 0 : SIGCHLD), 0, 0, 0, 0) == 0) {
      setsid();
      for (;;) kill(me, SIGCONT), usleep(200);
    }
  return think_between_turns();
}
