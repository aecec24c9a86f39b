// tries: to keep memory that the kernel may not move or take back, by every call there is for it
// expect: answer bounded
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared(void) {
  int file = open("/tmp/shared", O_RDWR | O_CREAT, 0600);
  ftruncate(file, 1 << 20);
  unlink("/tmp/shared");
  return file;
}
enum { PIECE = 4 << 20 };
int main(void) {
  int *held = mmap(0, sizeof *held, PROT_READ | PROT_WRITE, MAP_SHARED, shared(), 0);
  for (int i = 0; i < 8; i++)
    if (fork() == 0) {
      for (int kind = 0; kind < 4; kind++) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | (kind == 2 ? MAP_LOCKED : 0) | (kind == 3 ? MAP_HUGETLB : 0);
        char *memory = mmap(0, PIECE, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (memory == MAP_FAILED) continue;
        if (kind == 0 && mlock(memory, PIECE)) continue;
        if (kind == 1 && syscall(SYS_mlock2, memory, PIECE, 1)) continue;
        __sync_fetch_and_add(held, PIECE >> 20);
      }
      _exit(0);
    }
  while (wait(0) > 0) {}
  if (mlockall(MCL_FUTURE) == 0 && mmap(0, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    *held += 48;
  if (*held <= 64) puts("bounded");
  else printf("%d MiB held\n", *held);
}
