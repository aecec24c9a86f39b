// tries: to slow the pilot down by its user, its group or its session, and by every kind of priority
// expect: answer refused
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static char done[400];
static void note(const char *name, long result) {
  if (result == 0 && !strstr(done, name)) strcat(strcat(done, name), " ");
}
int main(void) {
  struct rlimit none = {0, 0};
  struct sched_param normal = {0};
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  unsigned long nodes = 1;
  unsigned attributes[14] = {56, SCHED_IDLE};
  for (int kind = 0; kind < 16; kind++) note("limit", prlimit(1, kind, &none, 0));
  note("user", setpriority(PRIO_USER, 0, 19));
  note("user", setpriority(PRIO_USER, getuid(), 19));
  note("process", setpriority(PRIO_PROCESS, 1, 19));
  note("group", setpriority(PRIO_PGRP, 1, 19));
  note("disk", syscall(SYS_ioprio_set, 1, 1, 3 << 13));
  note("disk of user", syscall(SYS_ioprio_set, 3, getuid(), 3 << 13));
  note("processors", sched_setaffinity(1, sizeof first, &first));
  note("idle", sched_setscheduler(1, SCHED_IDLE, &normal));
  note("parameters", sched_setparam(1, &normal));
  note("attributes", syscall(SYS_sched_setattr, 1, attributes, 0));
  note("memory", syscall(SYS_migrate_pages, 1, 64, &nodes, &nodes));
  note("pages", syscall(SYS_move_pages, 1, 0, 0, 0, 0, 0));
  for (int kind = 0; kind < 3; kind++)
    for (int operation = 1; operation < 4; operation++) note("core", prctl(62, operation, 1, kind, 0));
  puts(*done ? done : "refused");
}
