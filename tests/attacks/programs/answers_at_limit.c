// tries: to be cut where a line ends exactly at its limit, with more behind it
// expect: flood
#include <string.h>
#include <unistd.h>
int main(void) {
  static char text[65537];
  memset(text, 'x', sizeof text);
  text[4096] = '\n';
  for (int i = 4097; i < 65537; i++) text[i] = '\n';
  return write(1, text, sizeof text) < 0;
}
