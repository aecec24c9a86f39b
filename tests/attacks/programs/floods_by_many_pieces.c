// tries: to fill the referee's memory by calls that write a thousand pieces each
// expect: flood
#include <sys/uio.h>
int main(void) {
  static char text[1024];
  struct iovec pieces[1024];
  for (int i = 0; i < 1024; i++) pieces[i] = (struct iovec){text, sizeof text};
  for (;;) writev(1, pieces, 1024);
}
