// tries: to leave a note in the quotas of file systems, or to read how much others use
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  const char *paths[] = {"/", "/tmp", "/bot", "/usr"};
  int commands[] = {0x800002, 0x800003, 0x800004, 0x800005, 0x800006, 0x800007, 0x800008, 0x800009, 0x5803, 0x5805, 0x5808};
  int done = 0;
  char room[1000];
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < 11; i++) {
      done += syscall(SYS_quotactl, commands[i] << 8 | kind, 0, getuid(), room) == 0;
      for (int j = 0; j < 4; j++) {
        done += syscall(443, open(paths[j], O_RDONLY), commands[i] << 8 | kind, getuid(), room) == 0;
      }
    }
  if (done) printf("%d\n", done);
  else puts("refused");
}
