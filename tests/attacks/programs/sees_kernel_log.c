// tries: to read the kernel's log, or how much there is of it, by its call
// expect: answer refused
#include <stdio.h>
#include <sys/klog.h>
int main(void) {
  char text[1000];
  int seen = 0;
  for (int operation = 0; operation < 12; operation++)
    seen += klogctl(operation, operation == 8 ? 0 : text, operation == 8 ? 7 : sizeof text) > 0;
  if (seen) printf("%d\n", seen);
  else puts("refused");
}
