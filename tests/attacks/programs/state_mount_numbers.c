// tries: to count its questions in the numbers of mounts, of which the machine uses each once
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { UNIQUE_MOUNT = 0x4000, MOUNT_AT = 0x90 };
int main(void) {
  const char *paths[] = {"/", "/tmp", "/bot", "/proc", "/usr", "/dev/null"};
  char done[400] = "";
  for (int i = 0; i < 6; i++) {
    unsigned char status[256] = {0};
    if (syscall(SYS_statx, AT_FDCWD, paths[i], 0, UNIQUE_MOUNT, status)) continue;
    unsigned mask;
    unsigned long long number;
    memcpy(&mask, status, sizeof mask);
    memcpy(&number, status + MOUNT_AT, sizeof number);
    if (mask & UNIQUE_MOUNT) sprintf(done + strlen(done), "%s %llu ", paths[i], number);
  }
  puts(*done ? done : "refused");
}
