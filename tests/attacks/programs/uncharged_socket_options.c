// tries: to attach programs to sockets by the other options, and to have memory set aside for them
// expect: answer refused
#include <linux/filter.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
enum { FILTER = 26, DETACH = 27, BPF_PROGRAM = 50, REUSEPORT_FILTER = 51, REUSEPORT_PROGRAM = 52, RESERVED_MEMORY = 73 };
int main(void) {
  struct sock_filter code = {BPF_RET | BPF_K, 0, 0, 0xffff};
  struct sock_fprog program = {1, &code};
  int options[] = {FILTER, BPF_PROGRAM, REUSEPORT_FILTER, REUSEPORT_PROGRAM, RESERVED_MEMORY};
  int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
  char done[400] = "";
  for (int i = 0; i < 5; i++)
    for (int kind = 0; kind < 3; kind++) {
      int pair[2], value = 4096;
      if (socketpair(AF_UNIX, kinds[kind], 0, pair)) continue;
      int is_filter = options[i] == FILTER || options[i] == REUSEPORT_FILTER;
      void *argument = is_filter ? (void *)&program : &value;
      if (setsockopt(pair[0], SOL_SOCKET, options[i], argument, is_filter ? sizeof program : sizeof value) == 0)
        sprintf(done + strlen(done), "%d ", options[i]);
    }
  puts(*done ? done : "refused");
}
