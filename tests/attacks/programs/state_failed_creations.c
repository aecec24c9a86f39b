// tries: to move the number of the next file in /tmp by making files that can't be made
// expect: answer fresh
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  struct stat status = {0};
  int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  if (file >= 0) fstat(file, &status), close(file);
  if (status.st_ino < 50) puts("fresh");
  else printf("%ld\n", (long)status.st_ino);
  static char long_text[5000];
  memset(long_text, 'x', sizeof long_text - 1);
  for (int i = 0; i < 100; i++) {
    linkat(AT_FDCWD, "/proc/self/exe", AT_FDCWD, "/tmp/linked", AT_SYMLINK_FOLLOW);
    symlink(long_text, "/tmp/link");
    mknod("/tmp/device", S_IFBLK | 0600, 0);
    mknod("/tmp/character", S_IFCHR | 0600, 0x103);
    mkdir("/tmp/missing/folder", 0700);
    open("/tmp/x", O_CREAT | O_EXCL | O_DIRECTORY | O_RDWR, 0600);
    syscall(SYS_renameat2, AT_FDCWD, "/tmp/no", AT_FDCWD, "/tmp/yes", 4);
    rename("/tmp", "/tmp/inside");
  }
}
