// tries: to keep a file without a name, and to open it by its handle in the next question
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  const char *paths[] = {"/tmp", "/bot", "/usr", "/proc/self", "."};
  int done = 0, mount;
  for (int i = 0; i < 5; i++)
    for (int flags = 0; flags <= 0x200; flags += 0x200) {
      struct file_handle *handle = malloc(sizeof *handle + 128);
      handle->handle_bytes = 128;
      if (name_to_handle_at(AT_FDCWD, paths[i], handle, &mount, flags)) continue;
      done++;
      done += open_by_handle_at(open("/tmp", O_RDONLY), handle, O_RDONLY) >= 0;
    }
  if (done) printf("%d handles\n", done);
  else puts("refused");
}
