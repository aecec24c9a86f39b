// tries: to keep filters of system calls in many processes, and one that is asked about every call
// expect: answer refused
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  struct sock_filter code[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}, {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  struct sock_fprog program = {2, code};
  int flags[] = {0, SECCOMP_FILTER_FLAG_TSYNC, SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, SECCOMP_FILTER_FLAG_LOG};
  int held = 0;
  for (int i = 0; i < 10; i++) {
    int pid = fork();
    if (pid == 0) _exit(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i % 5], &program) >= 0);
    int status = 0;
    waitpid(pid, &status, 0);
    held += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  if (held) printf("%d filters\n", held);
  else puts("refused");
}
