// tries: to look idle to whoever reads its name among its figures, and computes in helpers
// expect: timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 5
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
  prctl(PR_SET_NAME, ") S 1 1 0\n0 0");
  fork();
  fork();
  for (;;) {}
}
