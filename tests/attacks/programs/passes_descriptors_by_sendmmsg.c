// tries: to pass open files with the calls that send many messages at once
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int pair[2], passed = 0;
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair)) return 1;
  char byte = 'x';
  struct iovec piece = {&byte, 1};
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } rights = {0};
  rights.head.cmsg_len = CMSG_LEN(sizeof(int));
  rights.head.cmsg_level = SOL_SOCKET;
  rights.head.cmsg_type = SCM_RIGHTS;
  struct mmsghdr messages[4];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < 4; i++) {
    messages[i].msg_hdr.msg_iov = &piece;
    messages[i].msg_hdr.msg_iovlen = 1;
    messages[i].msg_hdr.msg_control = &rights;
    messages[i].msg_hdr.msg_controllen = sizeof rights;
  }
  int sent = syscall(SYS_sendmmsg, pair[0], messages, 4, 0);
  int received = syscall(SYS_recvmmsg, pair[1], messages, 4, 0, 0);
  if (sent > 0) passed += sent;
  if (received > 0) passed += received;
  if (passed) printf("%d messages\n", passed);
  else puts("refused");
}
