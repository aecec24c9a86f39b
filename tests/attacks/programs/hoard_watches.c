// tries: to use up the watches on files that a user may have, by every call that makes one
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int made = 0;
  for (int i = 0; i < 200; i++) {
    int watch = syscall(SYS_inotify_init1, 0);
    if (watch >= 0) made++, syscall(SYS_inotify_add_watch, watch, "/tmp", 0xfff);
#ifdef SYS_inotify_init
    made += syscall(SYS_inotify_init) >= 0;
#endif
    made += syscall(SYS_fanotify_init, 0x200, O_RDONLY) >= 0;
    made += fcntl(open("/tmp", O_RDONLY), F_NOTIFY, DN_CREATE | DN_MULTISHOT) == 0;
  }
  if (made) printf("%d watches\n", made);
  else puts("refused");
}
