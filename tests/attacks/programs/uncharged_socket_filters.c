// tries: to keep the kernel's memory in packet filters, which nobody is charged for
// expect: answer refused
#include <linux/filter.h>
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
  static struct sock_filter code[4096];
  for (int i = 0; i < 4096; i++) code[i] = (struct sock_filter){BPF_LD | BPF_IMM, 0, 0, i};
  code[4095] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, 0xffff};
  struct sock_fprog program = {4096, code};
  int held = 0, pair[2];
  for (int i = 0; i < 50 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0; i++)
    for (int end = 0; end < 2; end++)
      held += setsockopt(pair[end], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
  if (held) printf("%d filters\n", held);
  else puts("refused");
}
