// tries: to keep a policy in the kernel for every other page of a mapping that holds nothing
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  unsigned long nodes = 1;
  int held = 0;
  char *shared = mmap(0, 64 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int i = 0; i < 2000; i++)
    held += syscall(SYS_mbind, shared + 8192 * i, 4096, i % 2 ? 2 : 3, &nodes, 64, 0) == 0;
  held += syscall(SYS_set_mempolicy, 3, &nodes, 64) == 0;
  held += syscall(450, shared, 4096, 0, 0) == 0;
  if (held) printf("%d policies\n", held);
  else puts("refused");
}
