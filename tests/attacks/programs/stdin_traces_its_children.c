// tries: to hold helpers by tracing them, where neither a stop nor a continue reaches them
// protocol: stdin
// expect: answer refused, answer refused
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    int pid = fork(), status = 0;
    if (pid == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 && raise(SIGSTOP) == 0);
    waitpid(pid, &status, WUNTRACED);
    int traced = WIFSTOPPED(status) || WEXITSTATUS(status);
    kill(pid, SIGKILL);
    if (fork() == 0) _exit(ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0);
    wait(&status);
    puts(traced || WEXITSTATUS(status) ? "traced" : "refused");
    fflush(stdout);
  }
}
