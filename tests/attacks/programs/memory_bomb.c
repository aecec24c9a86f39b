// tries: to take all memory in one process
// expect: memory
// cpu: 20
#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) { char *p = malloc(1 << 22); if (p) memset(p, 7, 1 << 22); } }
