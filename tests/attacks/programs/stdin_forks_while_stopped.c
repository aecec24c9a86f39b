// tries: to outrun whoever stops it, with new processes all the time that know of no stop
// protocol: stdin
// expect: answer S or timeout or malformed, answer S or timeout or malformed
// cpu: 0.2
// pause: 0.4
// seconds: 2
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 8; i++)
    if (fork() == 0)
      for (;;) {
        if (fork() > 0) _exit(0);
        kill(-1, SIGCONT);
      }
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    puts("S");
    fflush(stdout);
  }
}
