// tries: to keep thousands of locks on a file of its own, by the bare calls of every kind
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int file = open("/tmp", O_TMPFILE | O_RDWR, 0600), made = 0;
  if (file < 0) file = open("/tmp/locked", O_CREAT | O_RDWR, 0600);
  int commands[] = {F_SETLK, F_OFD_SETLK};
  for (int i = 0; i < 2000; i++)
    for (int kind = 0; kind < 2; kind++) {
      struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 4 * i + 2 * kind, .l_len = 1};
      made += syscall(SYS_fcntl, file, commands[kind], &lock) == 0;
    }
  made += syscall(SYS_flock, file, LOCK_EX | LOCK_NB) == 0;
  made += syscall(SYS_fcntl, open("/tmp", O_TMPFILE | O_WRONLY, 0600), F_SETLEASE, F_WRLCK) == 0;
  if (made) printf("%d locks\n", made);
  else puts("refused");
}
