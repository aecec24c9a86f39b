// tries: to think between its turns, continued by what comes in on pipes and sockets of its own
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "between_turns.h"
int main(void) {
  int ends[4], yes = 1, me = getpid();
  pipe(ends);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends + 2);
  for (int i = 0; i < 4; i++) {
    fcntl(ends[i], F_SETOWN, me);
    fcntl(ends[i], F_SETSIG, SIGCONT);
    fcntl(ends[i], F_SETFL, O_ASYNC | O_NONBLOCK);
    ioctl(ends[i], FIOSETOWN, &me);
    ioctl(ends[i], FIOASYNC, &yes);
  }
  fcntl(0, F_SETOWN, me);
  fcntl(0, F_SETSIG, SIGCONT);
  fcntl(0, F_SETFL, O_ASYNC);
  if (fork() == 0) {
    char byte;
    for (;;) {
      write(ends[1], "x", 1);
      read(ends[0], &byte, 1);
      write(ends[3], "x", 1);
      read(ends[2], &byte, 1);
      usleep(200);
    }
  }
  return think_between_turns();
}
