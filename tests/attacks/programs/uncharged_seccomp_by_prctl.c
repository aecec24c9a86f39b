// tries: to keep the kernel's memory in filters of its own system calls, by prctl
// expect: answer refused
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
int main(void) {
  static struct sock_filter code[1000];
  for (int i = 0; i < 1000; i++) code[i] = (struct sock_filter){BPF_LD | BPF_IMM, 0, 0, i};
  code[999] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  struct sock_fprog program = {1000, code};
  int held = 0;
  while (held < 10 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) held++;
  if (held) printf("%d filters\n", held);
  else puts("refused");
}
