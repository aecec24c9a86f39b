// tries: to fill the referee's memory from a device, without a copy of its own
// expect: flood or answer refused
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>
int main(void) {
  int zero = open("/dev/zero", O_RDONLY);
  while (sendfile(1, zero, 0, 1 << 30) > 0) {}
  return write(1, "refused\n", 8) < 0;
}
