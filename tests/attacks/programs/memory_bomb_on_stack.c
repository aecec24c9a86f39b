// tries: to take all memory through the stack, its limit lifted first
// expect: memory or crash
// cpu: 5
#include <sys/resource.h>
#include <unistd.h>
static int deeper(int n) {
  volatile char room[65536];
  for (int i = 0; i < 65536; i += 4096) room[i] = n;
  return deeper(n + 1) + room[n % 65536];
}
int main(int argc, char **argv) {
  if (argv[0][0] == '.') {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_STACK, &all);
    char *again[] = {"again", 0};
    execv("/proc/self/exe", again);
  }
  return deeper(1);
}
