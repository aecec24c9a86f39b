// tries: to look at a question before it is its turn, and to copy it for later
// protocol: stdin
// expect: answer S, answer S, answer S
// pause: 0.02
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void) {
  char line[100];
  int copy[2], waiting;
  pipe(copy);
  for (int turn = 0;; turn++) {
    ioctl(0, FIONREAD, &waiting);
    tee(0, copy[1], 4096, 0);
    lseek(0, 0, SEEK_SET);
    pread(0, line, sizeof line, 0);
    if (splice(copy[0], 0, copy[1], 0, 1, SPLICE_F_NONBLOCK)) {}
    int taken = read(0, line, sizeof line);
    if (taken <= 0) return 0;
    write(1, "S\n", 2);
  }
}
