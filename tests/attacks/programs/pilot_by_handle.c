// tries: to take, to signal, to advise or to enter the pilot by a handle on it
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
static char done[400];
static void note(const char *name, long result) {
  if (result >= 0 && !strstr(done, name)) strcat(strcat(done, name), " ");
}
int main(void) {
  char text[64];
  struct iovec piece = {text, sizeof text};
  int handles[] = {syscall(SYS_pidfd_open, 1, 0), syscall(SYS_pidfd_open, 1, O_EXCL), open("/proc/1", O_RDONLY | O_DIRECTORY)};
  for (int i = 0; i < 3; i++) {
    int handle = handles[i];
    if (handle < 0) continue;
    for (int fd = 0; fd < 256; fd++) note("descriptor", syscall(438, handle, fd, 0));
    int kinds[] = {CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWIPC};
    for (int kind = 0; kind < 5; kind++) note("namespace", syscall(SYS_setns, handle, kinds[kind]));
    for (int advice = 0; advice < 26; advice++) note("advice", syscall(440, handle, &piece, 1, advice, 0));
    note("release", syscall(448, handle, 0));
    siginfo_t end;
    note("wait", waitid(P_PIDFD, handle, &end, WEXITED | WNOHANG | WNOWAIT));
  }
  note("read", process_vm_readv(1, &piece, 1, &piece, 1, 0));
  note("write", process_vm_writev(1, &piece, 1, &piece, 1, 0));
  for (int kind = 0; kind < 8; kind++) note("compare", syscall(SYS_kcmp, getpid(), 1, kind, 0, 0));
  puts(*done ? done : "refused");
}
