// tries: to open a ring by which it calls the kernel past the filter
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int made = 0;
  for (unsigned flags = 0; flags < 1u << 18; flags = flags ? flags << 1 : 1) {
    unsigned parameters[30] = {0, 0, flags};
    made += syscall(425, 8, parameters) >= 0;
  }
  for (int operation = 0; operation < 40; operation++) made += syscall(427, -1, operation, 0, 0) >= 0;
  made += syscall(426, 0, 0, 0, 0, 0, 0) >= 0;
  if (made) printf("%d\n", made);
  else puts("refused");
}
