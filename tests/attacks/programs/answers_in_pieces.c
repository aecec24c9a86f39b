// tries: to have its answer taken before it is whole: byte by byte, and many at once
// expect: answer SSSSSSSSSSSSSSSSSSSS
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  struct iovec pieces[10];
  for (int i = 0; i < 10; i++) pieces[i] = (struct iovec){"S", 1};
  for (int i = 0; i < 10; i++) write(1, "S", 1), usleep(2000);
  writev(1, pieces, 10);
  write(1, "", 0);
  write(1, "\n", 1);
  return 0;
}
