// tries: to have the kernel keep tables of its segments, and to reach the machine's ports
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int made = 0;
#ifdef __x86_64__
  struct { unsigned entry, base, limit, flags; } segment = {0, 0, 0xfffff, 0x51};
  char table[64];
  for (int i = 0; i < 8; i++) segment.entry = 1000 * i, made += syscall(SYS_modify_ldt, i % 2 ? 1 : 0x11, &segment, sizeof segment) == 0;
  made += (int)syscall(SYS_modify_ldt, 0, table, sizeof table) > 0;
  made += syscall(SYS_iopl, 3) == 0;
  made += syscall(SYS_ioperm, 0x80, 1, 1) == 0;
#endif
  if (made) printf("%d\n", made);
  else puts("refused");
}
