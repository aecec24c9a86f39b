// tries: to think between its turns, continued by realtime signals that helpers have queued for it
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "between_turns.h"
static void heard(int number) { raise(SIGCONT); }
int main(void) {
  union sigval value = {0};
  for (int number = SIGRTMIN; number < SIGRTMIN + 8; number++) signal(number, heard);
  for (int i = 0; i < 3; i++)
    if (fork() == 0)
      while (getppid() > 1) {
        sigqueue(getppid(), SIGRTMIN + i, value);
        sigqueue(getppid(), SIGCONT, value);
        usleep(1000);
      }
  return think_between_turns();
}
