// tries: to put sockets into one another, in rings that only a search of all sockets frees
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static int send_it(int through, int what) {
  char byte = 'x';
  struct iovec piece = {&byte, 1};
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } rights;
  memset(&rights, 0, sizeof rights);
  rights.head.cmsg_len = CMSG_LEN(sizeof(int));
  rights.head.cmsg_level = SOL_SOCKET;
  rights.head.cmsg_type = SCM_RIGHTS;
  memcpy(CMSG_DATA(&rights.head), &what, sizeof what);
  struct msghdr message = {0, 0, &piece, 1, &rights, sizeof rights, 0};
  return sendmsg(through, &message, MSG_DONTWAIT) == 1;
}
int main(void) {
  int rings = 0;
  for (int i = 0; i < 100; i++) {
    int pair[2], inner[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || socketpair(AF_UNIX, SOCK_STREAM, 0, inner)) break;
    rings += send_it(pair[0], pair[1]) + send_it(inner[0], pair[0]) + send_it(pair[0], inner[1]);
    close(pair[0]), close(pair[1]), close(inner[0]), close(inner[1]);
  }
  if (rings) printf("%d sockets in sockets\n", rings);
  else puts("refused");
}
