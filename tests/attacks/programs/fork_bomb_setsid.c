// tries: to fill the machine with processes, each in a session of its own, none answering signals
// expect: timeout or memory
#include <signal.h>
#include <unistd.h>
int main(void) {
  for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
  for (;;) if (fork() == 0) setsid();
}
