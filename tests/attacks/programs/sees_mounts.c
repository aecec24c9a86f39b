// tries: to read the mounts of its own and of other namespaces, by the calls that list them
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  struct { unsigned size, namespace; unsigned long long mount, parameter, namespace_number; } request = {32, 0, -1ull, 0, 0};
  unsigned long long mounts[100];
  char status[4000];
  int seen = 0;
  for (unsigned flags = 0; flags < 2; flags++) {
    long listed = syscall(458, &request, mounts, 100, flags);
    if (listed > 0) seen += listed;
    for (int i = 0; i < listed; i++) {
      request.mount = mounts[i], request.parameter = 0x7f;
      seen += syscall(457, &request, status, sizeof status, 0) == 0;
    }
    request.mount = -1ull, request.parameter = 0;
  }
  unsigned long long spaces[20];
  struct { unsigned size, spare; unsigned long long start; unsigned kinds, more; unsigned long long user; } namespaces = {32, 0, 0, 0, 0, 0};
  long listed = syscall(470, &namespaces, spaces, 20, 0);
  if (listed > 0) seen += listed;
  if (seen) printf("%d\n", seen);
  else puts("refused");
}
