// tries: to use up the keys that a user may have, in every ring, and to join or make rings
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  static char secret[1000], name[20];
  int made = 0;
  for (int i = 0; i < 300; i++) {
    sprintf(name, "key%d", i);
    made += syscall(SYS_add_key, i % 2 ? "user" : "logon", i % 2 ? name : "a:b", secret, sizeof secret, -1 - i % 5) >= 0;
    made += syscall(SYS_add_key, "keyring", name, 0, 0, -2) >= 0;
  }
  made += syscall(SYS_request_key, "user", "key1", 0, -3) >= 0;
  made += syscall(SYS_keyctl, 1, "ring") >= 0;
  made += syscall(SYS_keyctl, 0, -4, 1) >= 0;
  made += syscall(SYS_keyctl, 22, -1, -4) >= 0;
  if (made) printf("%d keys and rings\n", made);
  else puts("refused");
}
