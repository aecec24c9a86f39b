// tries: to fill the referee's memory with pages that it hands over, and changes afterwards
// expect: flood or answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  static char text[65536] __attribute__((aligned(4096)));
  memset(text, 'x', sizeof text);
  struct iovec piece = {text, sizeof text};
  while (vmsplice(1, &piece, 1, SPLICE_F_GIFT) > 0) memset(text, '\n', sizeof text);
  int ends[2];
  pipe(ends);
  while (write(ends[1], text, 4096) > 0 && splice(ends[0], 0, 1, 0, 4096, SPLICE_F_MOVE) > 0) {}
  return write(1, "refused\n", 8) < 0;
}
