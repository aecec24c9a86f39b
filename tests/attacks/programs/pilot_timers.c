// tries: to have the kernel signal the pilot, by timers, locks, files and sockets of its own
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static char done[400];
static void note(const char *name, long result) {
  if (result == 0 && !strstr(done, name)) strcat(strcat(done, name), " ");
}
int main(void) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = 4, event.sigev_signo = SIGKILL;
  ((int *)&event)[4] = 1;
  int timer, pair[2], pilot = 1;
  struct { int kind, pid; } owner = {1, 1};
  note("timer", syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
  for (int clock = -16; clock < 0; clock++) note("clock", syscall(SYS_timer_create, (~1 << 3) | (clock & 7), 0, &timer));
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  note("owner", fcntl(pair[0], F_SETOWN, 1));
  note("owner", fcntl(pair[0], F_SETOWN_EX, &owner));
  note("owner by ioctl", ioctl(pair[0], FIOSETOWN, &pilot));
  note("group by ioctl", ioctl(pair[0], SIOCSPGRP, &pilot));
  note("signal", fcntl(pair[0], F_SETSIG, SIGKILL));
  note("notify", fcntl(open("/tmp", O_RDONLY), F_NOTIFY, DN_CREATE));
  puts(*done ? done : "refused");
}
