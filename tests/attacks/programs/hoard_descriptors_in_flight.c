// tries: to keep descriptors in flight that no process has open, from many processes
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared(void) {
  int file = open("/tmp/shared", O_RDWR | O_CREAT, 0600);
  ftruncate(file, 1 << 20);
  unlink("/tmp/shared");
  return file;
}
enum { MANY = 100, PROCESSES = 8, PAIRS = 5 };
int main(void) {
  int *flying = mmap(0, sizeof *flying, PROT_READ | PROT_WRITE, MAP_SHARED, shared(), 0);
  for (int i = 0; i < PROCESSES; i++)
    if (fork() == 0) {
      char byte = 'x';
      struct iovec piece = {&byte, 1};
      union { struct cmsghdr head; char room[CMSG_SPACE(MANY * sizeof(int))]; } rights;
      memset(&rights, 0, sizeof rights);
      rights.head.cmsg_len = CMSG_LEN(MANY * sizeof(int));
      rights.head.cmsg_level = SOL_SOCKET;
      rights.head.cmsg_type = SCM_RIGHTS;
      struct msghdr message = {0, 0, &piece, 1, &rights, sizeof rights, 0};
      for (int j = 0; j < PAIRS; j++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && sendmsg(pair[0], &message, MSG_DONTWAIT) == 1)
          __sync_fetch_and_add(flying, MANY);
      }
      _exit(0);
    }
  while (wait(0) > 0) {}
  if (*flying) printf("%d in flight\n", *flying);
  else puts("refused");
}
