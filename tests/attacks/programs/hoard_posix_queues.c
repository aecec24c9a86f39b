// tries: to fill message queues that outlive their process, by the bare calls
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  static char text[8192];
  struct mq_attr most = {0, 10, 8192, 0};
  char name[20];
  int made = 0, sent = 0;
  for (int i = 0; i < 50; i++) {
    sprintf(name, "q%d", i);
    int queue = syscall(SYS_mq_open, name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, i % 2 ? &most : 0);
    if (queue < 0) continue;
    made++;
    while (syscall(SYS_mq_timedsend, queue, text, sizeof text, 0, 0) == 0) sent++;
  }
  if (made) printf("%d queues with %d messages\n", made, sent);
  else puts("refused");
}
