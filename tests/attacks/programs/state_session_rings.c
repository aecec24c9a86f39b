// tries: to find the rings of keys that its user, its session and its group have had from before
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int found = 0;
  char text[200];
  for (int ring = -1; ring >= -8; ring--) {
    found += syscall(SYS_keyctl, 0, ring, 0) >= 0;
    found += syscall(SYS_keyctl, 6, ring, text, sizeof text) >= 0;
    found += syscall(SYS_keyctl, 11, ring, text, sizeof text) >= 0;
    found += syscall(SYS_keyctl, 10, ring, "user", "note", 0) >= 0;
  }
  for (int operation = 0; operation < 33; operation++) found += syscall(SYS_keyctl, operation, -4, text, sizeof text, 0) >= 0;
  if (found) printf("%d\n", found);
  else puts("refused");
}
