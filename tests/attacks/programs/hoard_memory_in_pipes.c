// tries: to give large pages to pipes and to forget them, so that no process's size shows them
// expect: answer refused or memory
// cpu: 5
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
enum { LARGE = 2 << 20 };
int main(void) {
  int given = 0;
  for (int i = 0; i < 100 && given < 160; i++) {
    int ends[2];
    if (pipe(ends)) break;
    for (int j = 0; j < 16; j++) {
      char *room = mmap(0, 2 * LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      char *page = (char *)(((unsigned long)room + LARGE - 1) & -(unsigned long)LARGE);
      madvise(page, LARGE, MADV_HUGEPAGE);
      memset(page, 1, LARGE);
      struct iovec piece = {page, 4096};
      int taken = vmsplice(ends[1], &piece, 1, SPLICE_F_GIFT | SPLICE_F_NONBLOCK);
      munmap(room, 2 * LARGE);
      if (taken != 4096) break;
      given++;
    }
  }
  if (given) usleep(300000), printf("%d MiB kept\n", given * 2);
  else puts("refused");
}
