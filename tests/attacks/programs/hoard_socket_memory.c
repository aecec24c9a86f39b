// tries: to keep memory in sockets, where no process's size shows it
// expect: memory
// cpu: 20
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  static char text[65536];
  int most = 1 << 20;
  for (int i = 0; i < 60; i++)
    if (fork() == 0) {
      int pair[2];
      while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0)
        for (int end = 0; end < 2; end++) {
          setsockopt(pair[end], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
          while (write(pair[end], text, sizeof text) > 0) {}
        }
      for (;;) pause();
    }
  wait(0);
}
