// tries: to take all the room in pipes that a user may have, from many processes, and to leave it empty
// expect: answer bounded
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared(void) {
  int file = open("/tmp/shared", O_RDWR | O_CREAT, 0600);
  ftruncate(file, 1 << 20);
  unlink("/tmp/shared");
  return file;
}
int main(void) {
  int *grown = mmap(0, sizeof *grown, PROT_READ | PROT_WRITE, MAP_SHARED, shared(), 0);
  int done[2];
  if (pipe(done)) return 1;
  for (int i = 0; i < 20; i++)
    if (fork() == 0) {
      for (int j = 0; j < 100; j++) {
        int ends[2];
        if (pipe(ends)) break;
        if (fcntl(ends[0], F_SETPIPE_SZ, 1 << 20) == 1 << 20) __sync_fetch_and_add(grown, 1);
      }
      char byte;
      close(done[1]);
      _exit(read(done[0], &byte, 1));
    }
  usleep(200000);
  int most = *grown;
  close(done[1]);
  while (wait(0) > 0) {}
  if (most <= 64) puts("bounded");
  else printf("%d pipes of a MiB\n", most);
}
