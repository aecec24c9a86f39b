// tries: to read how full every file system of the machine is, by the numbers of their devices
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
int main(void) {
  int seen = 0;
#ifdef SYS_ustat
  struct { int blocks; unsigned long inodes; char names[12]; char room[64]; } status;
  int majors[] = {0, 7, 8, 9, 252, 253, 254, 259};
  for (int i = 0; i < 8; i++)
    for (int minor = 0; minor < 256; minor++)
      seen += syscall(SYS_ustat, (unsigned)makedev(majors[i], minor), &status) == 0;
#endif
  if (seen) printf("%d file systems\n", seen);
  else puts("refused");
}
